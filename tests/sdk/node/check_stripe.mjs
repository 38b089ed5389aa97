// The simulator of Stripe, with the official Node client, which also verifies the webhooks.

import { createServer } from "node:http";

import Stripe from "stripe";

import { ORIGIN, fault, ok, raises } from "./sdk_check.mjs";

const SECRET = "whsec_of_the_check";
const { hostname, port } = new URL(ORIGIN);
// The client's base URL can have no path, so its requests are redirected to the simulator's prefix.
const through = Stripe.createFetchHttpClient((url, options) => fetch(String(url).replace("/v1/", "/stripe/v1/"), options));
const stripe = new Stripe("sk_test_sim", { host: hostname, port, protocol: "http", httpClient: through, maxNetworkRetries: 0 });

/** Makes the simulator do what a person or time would do. */
async function sim(what, body) {
  const method = body === undefined ? "GET" : "POST";
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${ORIGIN}/stripe/_sim/${what}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

const price = await stripe.prices.create({
  unit_amount: 990,
  currency: "usd",
  recurring: { interval: "month" },
  product_data: { name: "Basic" },
  lookup_key: "basic",
});
const customer = await stripe.customers.create({ email: "ada@example.com", metadata: { account: "acct_1" } });
ok("a price and a customer", price.unit_amount === 990 && customer.metadata.account === "acct_1");
const order = {
  mode: "subscription",
  customer: customer.id,
  line_items: [{ price: price.id, quantity: 1 }],
  success_url: "http://127.0.0.1:1/back?checkout={CHECKOUT_SESSION_ID}",
};
const session = await stripe.checkout.sessions.create(order);
ok(`a checkout at ${session.url}`, session.status === "open" && session.url.startsWith(ORIGIN));
const back = await fetch(session.url, { method: "POST", redirect: "manual" });
ok(`after payment it redirects to ${back.headers.get("location")}`, back.headers.get("location").endsWith(`checkout=${session.id}`));
const done = await stripe.checkout.sessions.retrieve(session.id);
const subscription = await stripe.subscriptions.retrieve(done.subscription);
ok(`the subscription is ${subscription.status}`, subscription.items.data[0].price.id === price.id);
const invoice = await stripe.invoices.retrieve(done.invoice, { expand: ["payments"] });
ok("a paid invoice", invoice.status === "paid" && invoice.payments.data[0].status === "paid");
const paidBy = invoice.payments.data[0].payment.payment_intent;
const charge = (await stripe.paymentIntents.retrieve(paidBy, { expand: ["latest_charge"] })).latest_charge;
const refund = await stripe.refunds.create({ charge: charge.id });
ok(`refunded: ${refund.amount}`, (await stripe.charges.retrieve(charge.id)).refunded);
const portal = await stripe.billingPortal.sessions.create({ customer: customer.id, return_url: "http://127.0.0.1:1/" });
ok(`the portal at ${portal.url}`, portal.url.startsWith(ORIGIN));

await sim("card", { customer: customer.id, declined: true });
await sim("clock", { seconds: 31 * 86400 });
const late = await stripe.subscriptions.retrieve(subscription.id);
ok(`after a failed payment: ${late.status}`, late.status === "past_due");
await sim("card", { customer: customer.id, declined: false });
await sim("retry", { invoice: late.latest_invoice });
ok("a later payment succeeds", (await stripe.subscriptions.retrieve(subscription.id)).status === "active");
await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
await sim("clock", { seconds: 31 * 86400 });
ok("canceled at the end of the month", (await stripe.subscriptions.retrieve(subscription.id)).status === "canceled");
const kinds = [];
for await (const event of stripe.events.list({ limit: 3 })) kinds.push(event.type);
ok(`${kinds.length} events, page by page`, kinds.includes("customer.subscription.deleted") && kinds.includes("invoice.paid"));

const heard = [];
const server = createServer((request, response) => {
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", () => {
    heard.push([Buffer.concat(pieces), request.headers["stripe-signature"]]);
    response.end();
  });
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
await sim("hook", { url: `http://127.0.0.1:${server.address().port}/hook`, secret: SECRET });
const { statuses } = await sim("deliver", {});
ok(`${statuses.length} webhooks`, statuses.length === heard.length && statuses.every((status) => status === 200));
const far = 1e9;
const events = heard.map(([body, signature]) => stripe.webhooks.constructEvent(body, signature, SECRET, far));
ok("the client accepts every signature", events.every((event) => event.object === "event"));
const wrong = Stripe.errors.StripeSignatureVerificationError;
const [body, signature] = heard[0];
await raises(wrong, async () => stripe.webhooks.constructEvent(`${body} `, signature, SECRET, far));
await raises(wrong, async () => stripe.webhooks.constructEvent(body, signature, "whsec_other", far));
const ids = (await sim("events")).map((event) => event.id);
await sim("deliver", { ids: [ids[0]], signed_at: 1_000_000_000 });
await raises(wrong, async () => stripe.webhooks.constructEvent(...heard.at(-1), SECRET));
const cut = await sim("deliver", { ids: [ids[0]], hang_up: true });
ok("a webhook that is cut off before the answer", cut.statuses[0] === 0);
server.closeAllConnections();
server.close();

await raises(Stripe.errors.StripeInvalidRequestError, () => stripe.checkout.sessions.create({ ...order, colour: "red" }));
await raises(Stripe.errors.StripeInvalidRequestError, () => stripe.invoices.retrieve("in_none"));
await fault("throttle", { provider: "stripe", call: "poll" });
await raises(Stripe.errors.StripeRateLimitError, () => stripe.prices.retrieve(price.id));
const once = { idempotencyKey: "customer-1" };
const first = await stripe.customers.create({ email: "bob@example.com" }, once);
ok("one Idempotency-Key creates one customer", (await stripe.customers.create({ email: "bob@example.com" }, once)).id === first.id);
await raises(Stripe.errors.StripeIdempotencyError, () => stripe.customers.create({ email: "eve@example.com" }, once));
