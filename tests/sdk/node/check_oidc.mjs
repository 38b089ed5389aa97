// The simulator of an OpenID Connect provider, with a certified client that verifies its tokens.

import * as client from "openid-client";

import { ORIGIN, ok } from "./sdk_check.mjs";

const ISSUER = new URL(`${ORIGIN}/oidc`);
const BACK = "http://127.0.0.1:1/back";

async function sim(what, body) {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${ISSUER}/_sim/${what}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${what}: ${answer.status} ${await answer.text()}`);
}

/** A client that also verifies signatures, as one does that does not trust the connection. */
function discover(algorithm, proof = client.ClientSecretBasic("a secret+")) {
  const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
  return client.discovery(ISSUER, "retouch", { id_token_signed_response_alg: algorithm }, proof, { execute });
}

/** A user agrees at the provider: the callback URL, and what the browser kept. */
async function trip(config, change = {}) {
  const kept = { verifier: client.randomPKCECodeVerifier(), state: client.randomState(), nonce: client.randomNonce() };
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: BACK, scope: "openid email", state: kept.state, nonce: kept.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(kept.verifier), code_challenge_method: "S256", ...change,
  });
  const answer = await fetch(url, { method: "POST", redirect: "manual" });
  if (answer.status !== 303) throw new Error(`${answer.status} ${await answer.text()}`);
  return { ...kept, back: new URL(answer.headers.get("location")) };
}

const exchange = (config, { verifier, state, nonce, back }) => client.authorizationCodeGrant(config, back, {
  pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true,
});

async function refused(what, call) {
  const error = await call().then(() => null, (reason) => reason);
  ok(`${what}: ${error?.error ?? error?.code ?? "nothing"} ${String(error?.message).slice(0, 60)}`, error !== null);
  return error;
}

for (const algorithm of ["RS256", "ES256", "EdDSA"]) {
  await sim("key", { algorithm, kid: `for ${algorithm}` });
  const config = await discover(algorithm);
  const tokens = await exchange(config, await trip(config));
  const claims = tokens.claims();
  ok(`a token signed by ${algorithm}`, claims.sub === "person-1" && claims.email_verified === true);
  const told = await client.fetchUserInfo(config, tokens.access_token, claims.sub);
  ok("and userinfo has the email address", told.email === "ada@example.com");
}
await sim("key", { algorithm: "RS256", kid: "first" });
const config = await discover("RS256");
const post = await discover("RS256", client.ClientSecretPost("a secret+"));
ok("the secret may be in the form", (await exchange(post, await trip(post))).claims().sub === "person-1");

const once = await trip(config);
await exchange(config, once);
ok("a code can be exchanged once", (await refused("again", () => exchange(config, once))).error === "invalid_grant");
const other = { ...(await trip(config)), verifier: client.randomPKCECodeVerifier() };
ok("and only with its own verifier", (await refused("another verifier", () => exchange(config, other))).error === "invalid_grant");
const nobody = await discover("RS256", client.None());
const denied = await refused("without the secret", async () => exchange(nobody, await trip(nobody)));
ok("the error is about the client", denied.error === "invalid_client" || denied.cause?.[0]?.parameters?.error === "invalid_client");
await refused("a plain challenge", () => trip(config, { code_challenge_method: "plain" }));
await refused("another client", () => trip(config, { client_id: "somebody-else" }));
await refused("another response type", () => trip(config, { response_type: "token" }));

const ways = ["wrong_nonce", "no_nonce", "wrong_audience", "wrong_issuer", "expired", "unsigned", "shared_secret", "other_key", "changed", "garbage"];
for (const how of ways) {
  await sim("token_fault", { fault: how });
  await refused(`${how} is detected`, async () => exchange(config, await trip(config)));
}
ok("a correct exchange still works after all that", (await exchange(config, await trip(config))).claims().sub === "person-1");
