"""The simulator of Stripe, with the official Python client, which also verifies the webhooks."""

import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import stripe
from sdk_check import ORIGIN, fault, ok, raises, requests

SECRET = "whsec_of_the_check"
client = stripe.StripeClient("sk_test_sim", base_addresses={"api": f"{ORIGIN}/stripe"}, max_network_retries=0)
v1 = client.v1


def sim(what, body=None):
    """Makes the simulator do what a person or time would do."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{ORIGIN}/stripe/_sim/{what}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read())


def price(cents, key):
    return v1.prices.create(params={
        "unit_amount": cents, "currency": "usd", "recurring": {"interval": "month"},
        "product_data": {"name": key}, "lookup_key": key,
    })


def checkout(customer, price, **more):
    return v1.checkout.sessions.create(params={
        "mode": "subscription", "customer": customer, "client_reference_id": "acct_1",
        "line_items": [{"price": price, "quantity": 1}], "subscription_data": {"metadata": {"account": "acct_1"}},
        "success_url": "http://127.0.0.1:1/back?checkout={CHECKOUT_SESSION_ID}", "cancel_url": "http://127.0.0.1:1/", **more,
    })


basic, top = price(990, "basic"), price(2990, "max")
ok(f"a price: {basic.unit_amount} {basic.currency} a {basic.recurring.interval}", basic.id.startswith("price_"))
found = v1.prices.list(params={"lookup_keys": ["max"]})
ok("it is found by its lookup key", [one.id for one in found.data] == [top.id])
ok("and by its ID", v1.prices.retrieve(basic.id).lookup_key == "basic")

customer = v1.customers.create(params={"email": "ada@example.com", "metadata": {"account": "acct_1"}})
ok("a customer with metadata", customer.metadata["account"] == "acct_1" and customer.email == "ada@example.com")
once = {"idempotency_key": "customer-1"}
first = v1.customers.create(params={"email": "bob@example.com"}, options=once)
again = v1.customers.create(params={"email": "bob@example.com"}, options=once)
ok("one Idempotency-Key creates one customer", first.id == again.id)
error = raises(stripe.IdempotencyError, lambda: v1.customers.create(params={"email": "eve@example.com"}, options=once))
ok(f"and is refused with other parameters: {error.user_message[:40]}", error.http_status == 400)

session = checkout(customer.id, basic.id)
ok(f"a checkout at {session.url}", session.status == "open" and session.payment_status == "unpaid")
sim("card", {"customer": customer.id, "declined": True})
ok("it stays open if the card is declined", sim("pay", {"session": session.id})["status"] == "open")
sim("card", {"customer": customer.id, "declined": False})
with urllib.request.urlopen(session.url, timeout=20) as page:
    ok("its page has a form", b"<form method=post>" in page.read())
sim("pay", {"session": session.id})
session = v1.checkout.sessions.retrieve(session.id)
ok("after payment, it names its subscription", session.status == "complete" and session.subscription.startswith("sub_"))

subscription = v1.subscriptions.retrieve(session.subscription)
item = subscription["items"].data[0]
ok(f"the subscription is paid until {item.current_period_end}", subscription.status == "active" and item.price.id == basic.id)
ok("with the checkout's metadata", subscription.metadata["account"] == "acct_1")
invoice = v1.invoices.retrieve(session.invoice, params={"expand": ["payments"]})
ok("a paid invoice", invoice.status == "paid" and invoice.amount_paid == 990)
ok("for the subscription", invoice.parent.subscription_details.subscription == subscription.id)
line = invoice.lines.data[0]
ok("whose line names its price", line.pricing.price_details.price == basic.id and line.amount == 990)
ok("and its month", line.period.end == item.current_period_end)
paid = invoice.payments.data[0]
intent = v1.payment_intents.retrieve(paid.payment.payment_intent, params={"expand": ["latest_charge"]})
charge = intent.latest_charge
ok("its payment names its charge", charge.amount == 990 and charge.amount_refunded == 0 and not charge.disputed)
linked = v1.invoice_payments.list(params={"payment": {"type": "payment_intent", "payment_intent": intent.id}})
ok("and the charge its invoice", [one.invoice for one in linked.data] == [invoice.id])
bare = v1.invoices.retrieve(session.invoice)
ok("payments are included only on request", getattr(bare, "payments", None) is None)

sim("clock", {"seconds": 31 * 86400})
subscription = v1.subscriptions.retrieve(subscription.id)
ok("a month later there is another invoice", subscription.latest_invoice != invoice.id)
updated = v1.subscriptions.update(subscription.id, params={
    "items": [{"id": item.id, "price": top.id}], "proration_behavior": "always_invoice",
})
lines = v1.invoices.retrieve(updated.latest_invoice).lines.data
ok(f"a change of plan is prorated: {[line.amount for line in lines]}", lines[0].amount < 0 < lines[1].amount)
sim("switch", {"subscription": subscription.id, "price": basic.id, "later": True})
planned = v1.subscriptions.retrieve(subscription.id, params={"expand": ["schedule"]})
ok("a change for later is a schedule", planned.schedule.phases[1]["items"][0].price == basic.id)
sim("clock", {"seconds": 31 * 86400})
later = v1.subscriptions.retrieve(subscription.id)
ok("which takes effect", later["items"].data[0].price.id == basic.id and later.schedule is None)

portal = v1.billing_portal.sessions.create(params={
    "customer": customer.id, "return_url": "http://127.0.0.1:1/plans",
    "flow_data": {"type": "subscription_update_confirm", "subscription_update_confirm": {
        "subscription": subscription.id, "items": [{"id": item.id, "price": top.id, "quantity": 1}],
    }},
})
ok(f"the portal at {portal.url}", portal.flow.type == "subscription_update_confirm")

configurations = v1.billing_portal.configurations
default = configurations.list(params={"is_default": True, "limit": 1}).data[0]
update = default.features.subscription_update
ok("the portal's configuration can delay downgrades",
   [one.type for one in update.schedule_at_period_end.conditions] == ["decreasing_item_amount"])
changed = configurations.update(default.id, params={"features": {
    "subscription_cancel": {"enabled": True, "mode": "immediately", "proration_behavior": "create_prorations"},
    "subscription_update": {"default_allowed_updates": ["price", "quantity"]},
}})
ok("it can be changed", changed.features.subscription_cancel.mode == "immediately"
   and "quantity" in configurations.retrieve(default.id).features.subscription_update.default_allowed_updates)

refund = v1.refunds.create(params={"charge": charge.id, "amount": 330})
ok("a refund", refund.status == "succeeded" and v1.charges.retrieve(charge.id).amount_refunded == 330)
error = raises(stripe.InvalidRequestError, lambda: v1.refunds.create(params={"charge": charge.id, "amount": 661}))
ok(f"a refund cannot exceed the payment: {error.user_message}", error.http_status == 400)
sim("fail_refund", {"refund": refund.id})
failed = v1.refunds.list(params={"charge": charge.id}).data[0]
ok("a refund that fails", failed.status == "failed" and v1.charges.retrieve(charge.id).amount_refunded == 0)
warning = sim("warn", {"charge": charge.id})
ok("a fraud warning", v1.radar.early_fraud_warnings.retrieve(warning["id"]).charge == charge.id)
dispute = sim("dispute", {"charge": charge.id})
found = v1.disputes.list(params={"charge": charge.id})
ok("a dispute", [(one.id, one.status) for one in found.data] == [(dispute["id"], "needs_response")])
sim("dispute", {"dispute": dispute["id"], "status": "won"})
ok("which is won", v1.disputes.retrieve(dispute["id"]).status == "won")
ended = v1.subscriptions.update(subscription.id, params={"cancel_at_period_end": True})
ok("canceled at the end of the month", ended.cancel_at_period_end and ended.cancel_at == ended["items"].data[0].current_period_end)
ok("canceled immediately", v1.subscriptions.cancel(subscription.id).status == "canceled")

kinds = ["invoice.paid", "charge.refunded"]
page = v1.events.list(params={"types": kinds, "limit": 2})
ok("events come in pages, newest first", page.has_more and page.data[0].type == "charge.refunded")
all_of = [event.type for event in page.auto_paging_iter()]
ok(f"{len(all_of)} events", set(all_of) == set(kinds) and len(all_of) > 4)

heard = []


class Listener(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        heard.append((body, self.headers["stripe-signature"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Listener)
threading.Thread(target=server.serve_forever, daemon=True).start()
sim("hook", {"url": f"http://127.0.0.1:{server.server_port}/hook", "secret": SECRET})
statuses = sim("deliver", {"times": 2})["statuses"]
ok(f"{len(statuses)} webhook calls, two for each event", set(statuses) == {200} and len(heard) == len(statuses))
# The simulator's clock is ahead. The age limit of signatures is tested separately below.
far = 10**9
events = [client.construct_event(body, signature, SECRET, tolerance=far) for body, signature in heard]
ok("the client accepts every signature", all(event.object == "event" for event in events))
told = {event.type for event in events}
for kind in ["checkout.session.completed", "customer.subscription.deleted", "invoice.payment_failed", "charge.dispute.closed"]:
    ok(f"{kind} is among them", kind in told)
body, signature = heard[0]
wrong = stripe.SignatureVerificationError
raises(wrong, lambda: client.construct_event(body + b" ", signature, SECRET, tolerance=far))
raises(wrong, lambda: client.construct_event(body, signature, "whsec_other", tolerance=far))
ids = [event["id"] for event in sim("events")]
heard.clear()
sim("deliver", {"ids": ids[:2], "signed_at": 1_000_000_000, "reversed": True})
ok("in the requested order", [json.loads(body)["id"] for body, _ in heard] == ids[1::-1])
error = raises(wrong, lambda: client.construct_event(*heard[0], SECRET))
ok(f"an old signature is refused: {error.user_message or error}")

for what, call in {
    "an unknown field": lambda: checkout(customer.id, basic.id, colour="red"),
    "a missing field": lambda: v1.checkout.sessions.create(params={"mode": "subscription", "customer": customer.id}),
    "an unknown price": lambda: checkout(customer.id, "price_none"),
    "an unknown invoice": lambda: v1.invoices.retrieve("in_none"),
    "an unknown expansion": lambda: v1.invoices.retrieve(invoice.id, params={"expand": ["charge"]}),
}.items():
    error = raises(stripe.InvalidRequestError, call)
    ok(f"{what}: {error.http_status} {error.code}", error.http_status in (400, 404))
fault("bad_key", provider="stripe", call="poll")
raises(stripe.AuthenticationError, lambda: v1.prices.retrieve(basic.id))
fault("throttle", provider="stripe", call="poll")
raises(stripe.RateLimitError, lambda: v1.prices.retrieve(basic.id))
fault("internal_error", provider="stripe", call="poll")
raises(stripe.APIError, lambda: v1.prices.retrieve(basic.id))

again = stripe.StripeClient("sk_test_sim", base_addresses={"api": f"{ORIGIN}/stripe"}, max_network_retries=2)
fault("close_before_answer", provider="stripe", call="submit")
made = again.v1.customers.create(params={"email": "lost@example.com"})
asked = [one for one in requests("stripe") if one["path"] == "/v1/customers"][-2:]
keys = {dict(one["headers"])["idempotency-key"] for one in asked}
ok("a lost answer is requested again with the same key", len(keys) == 1 and made.email == "lost@example.com")
