// A certified OpenID provider, oidc-provider, with its own defaults and a key of each type that the
// service accepts. An account exists as soon as someone signs in with it.

import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const key = (kid, kind, options) => ({ kid, use: 'sig', ...generateKeyPairSync(kind, options).privateKey.export({ format: 'jwk' }) });

/** The provider's settings for the service at `base` as its client. */
export const client = (id, base, more) => ({ client_id: id, redirect_uris: [`${base}/sign-in/provider/return`], ...more });

/**
 * Starts the provider on a port of this machine. `asked` lists the calls that it received, `tokens` the ID
 * tokens that it issued, and `failures` its refusals. `answer` withholds the next redirect from the browser
 * and resolves to its URL.
 */
export async function startProvider(port, clients) {
  const issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients,
    jwks: { keys: [key('rsa', 'rsa', { modulusLength: 2048 }), key('p256', 'ec', { namedCurve: 'P-256' }), key('ed25519', 'ed25519')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key for the cookies of a test'] },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: id !== 'mallory' }) }),
  });
  const asked = [];
  let keep = null;
  const failures = [];
  provider.use(async (context, next) => {
    asked.push({ path: context.path, query: { ...context.query }, authorization: context.get('authorization') });
    await next();
    const answer = context.response.get('location');
    if (!keep || !answer?.includes('/sign-in/provider/return?')) return;
    context.remove('location');
    Object.assign(context, { status: 200, body: 'kept' });
    keep(answer);
    keep = null;
  });
  for (const event of ['authorization.error', 'grant.error', 'userinfo.error', 'jwks.error', 'discovery.error', 'server_error']) {
    provider.on(event, (_, error) => failures.push(`${event}: ${error?.error} ${error?.error_description ?? ''}`));
  }
  const tokens = [];
  provider.on('grant.success', (context) => tokens.push(context.body.id_token));
  const server = createServer(provider.callback());
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  // The server must not keep the check running.
  server.unref();
  return { asked, failures, tokens, answer: () => new Promise((found) => { keep = found; }) };
}
