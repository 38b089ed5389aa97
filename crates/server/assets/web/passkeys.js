// Passkeys: adding them on the account page and signing in with them. The elements stay hidden in
// browsers without passkeys.

import { $, show } from './dom.js';

/** Milliseconds after which a new challenge is requested, shortly before the old one expires. */
const ASK_EVERY_MS = 4 * 60_000;

const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));
const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
const named = ({ id, ...rest }) => ({ ...rest, id: bytes(id) });

async function ask(path, body) {
  const response = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const told = await response.json();
  if (!response.ok) throw Object.assign(new Error(told.error.message), { param: told.error.param });
  return told;
}

/** The error message to show when the browser returns no passkey. */
function words(error) {
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return 'No passkey was used: the request was canceled or timed out.';
  if (error.name === 'InvalidStateError') return 'This device already has a passkey for this account.';
  if (error.name === 'SecurityError') return 'Passkeys don’t work at this address (HTTPS is required).';
  return error.message;
}

/** Aborts the pending request that offers passkeys in the email field. */
let waiting = new AbortController();

async function signIn(mediation) {
  waiting.abort();
  waiting = new AbortController();
  const { signal } = waiting;
  const options = await ask('/api/auth/passkey/options', {});
  const publicKey = { ...options, challenge: bytes(options.challenge) };
  const { rawId, response } = await navigator.credentials.get({ publicKey, mediation, signal });
  await ask('/api/auth/passkey', {
    id: text(rawId),
    client_data: text(response.clientDataJSON),
    authenticator_data: text(response.authenticatorData),
    signature: text(response.signature),
    user_handle: text(response.userHandle ?? new ArrayBuffer(0)),
  });
}

function tell(place, message) {
  place.textContent = message;
  show(place, message !== '');
}

let asking;

/** Offers passkeys in the email field as long as the page is open. */
async function offer(go) {
  clearTimeout(asking);
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  asking = setTimeout(() => offer(go), ASK_EVERY_MS);
  // The user did not start this request, so errors are ignored; the button shows its own.
  await signIn('conditional').then(go, () => {});
}

function prepareSignIn(area) {
  const wrong = $('passkey-wrong');
  const offers = 'offers' in area.dataset;
  const go = () => location.assign(area.dataset.next);
  show(area, true);
  area.querySelector('button').addEventListener('click', async () => {
    tell(wrong, '');
    try {
      await signIn('optional');
      go();
    } catch (error) {
      tell(wrong, words(error));
      if (offers) offer(go);
    }
  });
  if (offers) offer(go);
}

async function add(form) {
  const fields = new FormData(form);
  const asked = await ask('/api/passkeys/options', { current_password: fields.get('password') || undefined });
  const publicKey = {
    ...asked,
    challenge: bytes(asked.challenge),
    user: named(asked.user),
    excludeCredentials: asked.excludeCredentials.map(named),
  };
  const { response } = await navigator.credentials.create({ publicKey });
  await ask('/api/passkeys', {
    name: fields.get('name'),
    client_data: text(response.clientDataJSON),
    attestation: text(response.attestationObject),
  });
  location.assign('/account?done=passkey');
}

function prepareAdding(form) {
  show(form, true);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const button = form.querySelector('button');
    button.disabled = true;
    tell($('passkey-wrong'), '');
    try {
      await add(form);
    } catch (error) {
      tell($('passkey-wrong'), words(error));
    }
    button.disabled = false;
  });
}

if (window.PublicKeyCredential) {
  const area = $('passkey-sign-in');
  const form = $('passkey-add');
  if (area) prepareSignIn(area);
  if (form) prepareAdding(form);
}
