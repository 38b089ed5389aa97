"""Email from the real program to an independent server (aiosmtpd), encrypted and with a user and
password, parsed by Python's own parser."""

import datetime
import email
import email.policy
import ipaddress
import json
import logging
import os
import queue
import socket
import ssl
import subprocess
import tempfile
import urllib.error
import urllib.request
from email.utils import parsedate_to_datetime
from pathlib import Path

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from sdk_check import ok

PROGRAM = os.environ["RETOUCH"]
# Removed when the program ends.
kept = tempfile.TemporaryDirectory(prefix="retouch-mail-")
folder = Path(kept.name)


def certificate(name, issuer=None):
    """A certificate for this machine, or for an authority if there is no issuer."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.timezone.utc)
    signer, above = (key, subject) if issuer is None else (issuer[0], issuer[1].subject)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject).issuer_name(above).public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1)).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
    )
    if issuer is not None:
        here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(here), critical=False)
    return key, builder.sign(signer, hashes.SHA256())


def pem(name, *parts):
    """A file with certificates and keys."""
    written = b""
    for part in parts:
        if isinstance(part, x509.Certificate):
            written += part.public_bytes(serialization.Encoding.PEM)
        else:
            written += part.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
    path = folder / name
    path.write_bytes(written)
    return path


authority, stranger = certificate("an authority"), certificate("another authority")
key, leaf = certificate("localhost", authority)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(pem("server.pem", key, leaf))
trusted, untrusted = pem("authority.pem", authority[1]), pem("stranger.pem", stranger[1])
letters = queue.Queue()
# Hides its messages about connections that are cut on purpose.
logging.getLogger("mail.log").setLevel(logging.CRITICAL)


class Keeper:
    """Keeps every email, except to one address, which it permanently refuses."""

    async def handle_RCPT(self, server, session, envelope, address, options):
        if address.startswith("gone@"):
            return "550 5.1.1 no such user"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        letters.put((envelope, session.ssl is not None, session.authenticated))
        return "250 Message accepted for delivery"


def known(server, session, envelope, mechanism, data):
    """Accepts ada with her password."""
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"ada@example.com", b"p@ss/word")
    return AuthResult(success=right)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


starttls = Controller(
    Keeper(), hostname="127.0.0.1", port=free_port(), tls_context=context, require_starttls=True,
    auth_required=True, authenticator=known,
)
at_once = Controller(Keeper(), hostname="127.0.0.1", port=free_port(), ssl_context=context)
for controller in (starttls, at_once):
    controller.start()
STARTTLS = f"starttls://ada%40example.com:p%40ss%2Fword@localhost:{starttls.port}"


def environment(url, authorities):
    return {
        **os.environ, "RETOUCH_MAIL__SMTP_URL": url, "RETOUCH_MAIL__SMTP_CA_FILE": str(authorities),
        "RETOUCH_MAIL__FROM": "Rétouch <post@example.com>", "RETOUCH_SERVER__LISTEN": "127.0.0.1:0",
        "RETOUCH_STORE__DATA_DIR": str(folder / "data"),
    }


def doctor(url, authorities=trusted):
    """What `doctor` reports about email: whether it works, and the details."""
    asked = subprocess.run(
        [PROGRAM, "doctor", "--json"], env=environment(url, authorities), capture_output=True, text=True, check=False
    )
    found = next(one for one in json.loads(asked.stdout)["checks"] if one["name"] == "mail")
    return found["ok"], found["detail"]


for url, words in [(STARTTLS, "encrypted, user accepted"), (f"smtps://localhost:{at_once.port}", "encrypted")]:
    well, said = doctor(url)
    ok(f"doctor reports success: {said}", well and said.endswith(words))
for what, url, authorities in [
    ("a wrong password", STARTTLS.replace("word", "w0rd"), trusted),
    ("an untrusted certificate", STARTTLS, untrusted),
    ("a server without TLS from the start", STARTTLS.replace("starttls:", "smtps:"), trusted),
]:
    well, said = doctor(url, authorities)
    ok(f"doctor reports a failure for {what}: {said}", not well and "p@ss" not in said)

service = subprocess.Popen([PROGRAM, "serve"], env=environment(STARTTLS, trusted), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
try:
    base = service.stdout.readline().split()[-1]
    ok(f"the service is at {base}", base.startswith("http://127.0.0.1:"))

    def post(path, body, expected):
        data = json.dumps(body).encode()
        request = urllib.request.Request(base + path, data, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            ok(f"{path} is answered {answer.status}", answer.status == expected)
            text = answer.read()
            return answer, json.loads(text) if text else None

    for address in ("gone@example.com", "ada@bücher.example"):
        post("/api/auth/sign-up", {"email": address, "password": "correct horse"}, 202)
    envelope, encrypted, authenticated = letters.get(timeout=20)
    ok("the email arrives encrypted and with a password", encrypted and authenticated)
    ok(f"for {envelope.rcpt_tos}", envelope.rcpt_tos == ["ada@xn--bcher-kva.example"] and envelope.mail_from == "post@example.com")
    letter = email.message_from_bytes(envelope.content, policy=email.policy.default)
    ok("the email is well-formed", not letter.defects and not any(letter[name].defects for name in letter.keys()))
    ok(f"from {letter['From']}", letter["From"].addresses[0].display_name == "Rétouch")
    ok(f"about {letter['Subject']}", letter["Subject"] == "Confirm your email for Retouch")
    ok("the email asks for no automatic replies", letter["Auto-Submitted"] == "auto-generated")
    age = datetime.datetime.now(datetime.timezone.utc) - parsedate_to_datetime(letter["Date"])
    ok(f"its date is now, and its ID is {letter['Message-ID']}", abs(age.total_seconds()) < 300 and letter["Message-ID"].endswith("@example.com>"))
    words = letter.get_content()
    ok("it is plain text", letter.get_content_type() == "text/plain" and f"{base}/verify?token=" in words)
    token = words.split("/verify?token=")[1].split()[0]
    answer, account = post("/api/auth/verify", {"token": token}, 200)
    ok("the account exists and has its credits", account["credits"]["available"] == 15 and "retouch_session" in answer.headers["set-cookie"])

    post("/api/auth/request-password-reset", {"email": account["email"]}, 202)
    envelope, _, _ = letters.get(timeout=20)
    words = email.message_from_bytes(envelope.content, policy=email.policy.default).get_content()
    token = words.split("/reset-password?token=")[1].split()[0]
    post("/api/auth/reset-password", {"token": token, "password": "battery staple"}, 204)
    envelope, _, _ = letters.get(timeout=20)
    ok("the owner gets an email about the change", b"Your Retouch password was changed" in envelope.content)
    post("/api/auth/sign-in", {"email": account["email"], "password": "battery staple"}, 200)
    with urllib.request.urlopen(base + "/metrics", timeout=20) as page:
        numbers = page.read().decode()
    ok("one email was permanently refused", 'retouch_emails_total{kind="sign_up",outcome="refused"} 1' in numbers)
finally:
    service.terminate()
    _, said = service.communicate(timeout=30)
    for controller in (starttls, at_once):
        controller.stop()
ok("the service stops when asked", service.returncode == 0)
ok("and its log contains no address", "550" in said and "gone@" not in said and "xn--" not in said and "ücher" not in said)
