// An SMTP server (RFC 5321) that accepts every email and keeps it for the check.

import { createServer } from 'node:net';

/** Starts a server. `letterTo` waits for the next email to an address, `subjectsTo` takes all that are there
 *  and returns their subjects. */
export async function openMailbox() {
  const kept = [];
  const server = createServer((socket) => talk(socket, kept));
  await new Promise((done) => { server.listen(0, '127.0.0.1', done); });
  const letterTo = async (address) => {
    for (let waits = 0; waits < 1200; waits += 1) {
      const at = kept.findIndex(({ to }) => to === address);
      if (at >= 0) return kept.splice(at, 1)[0].text;
      await new Promise((done) => { setTimeout(done, 50); });
    }
    throw new Error(`no email to ${address} within a minute`);
  };
  const subjectsTo = (address) => {
    const own = kept.filter(({ to }) => to === address);
    own.forEach((letter) => kept.splice(kept.indexOf(letter), 1));
    return own.map(({ text }) => text.match(/^Subject: (.*)$/m)[1].trim());
  };
  return { url: `smtp://127.0.0.1:${server.address().port}`, letterTo, subjectsTo, close: () => server.close() };
}

/** The URL of the link in an email. */
export const linkIn = (letter) => letter.match(/http:\S+token=\S+/)[0];

function talk(socket, kept) {
  let heard = '';
  let letter = null;
  let isData = false;
  const say = (line) => socket.write(`${line}\r\n`);
  const answer = (line) => {
    if (isData && line === '.') {
      isData = false;
      kept.push(letter);
      return say('250 taken');
    }
    if (isData) {
      letter.text += `${line.replace(/^\./, '')}\n`;
      return undefined;
    }
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'DATA') {
      isData = true;
      return say('354 go on');
    }
    if (verb === 'RCPT') letter = { to: line.match(/<(.*)>/)[1], text: '' };
    if (verb === 'QUIT') return socket.end('221 bye\r\n');
    return say('250 ok');
  };
  socket.on('error', () => {});
  socket.on('data', (bytes) => {
    const lines = (heard + bytes).split('\r\n');
    heard = lines.pop();
    lines.forEach(answer);
  });
  say('220 mailbox.example ESMTP');
}
