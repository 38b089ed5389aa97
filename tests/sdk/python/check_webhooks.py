"""Webhooks of Retouch, verified with libraries that others wrote: standardwebhooks, svix and openai."""

import base64
import json

import openai
import standardwebhooks
import svix.webhooks
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from receiver import Receiver
from sdk_check import ok, png, raises
from service import Service


def verified(message, webhook):
    """The body of a message, which all libraries must accept."""
    headers, body = message
    secret = webhook["secret"]
    client = openai.OpenAI(api_key="not used", webhook_secret=secret)
    event = json.loads(body)
    ok("standardwebhooks accepts it", standardwebhooks.Webhook(secret).verify(body, headers) == event)
    # It raises an error if it does not accept the message, and returns nothing.
    svix.webhooks.Webhook(secret).verify(body, headers)
    ok("svix accepts it")
    ok("openai unwraps it", client.webhooks.unwrap(body, headers).type == event["type"])
    ok("its public key verifies it", verifies(message, webhook["public_key"]))
    return event


def verifies(message, public_key):
    headers, body = message
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key.removeprefix("whpk_")))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    for signature in headers["webhook-signature"].split():
        version, text = signature.split(",")
        try:
            if version == "v1a":
                key.verify(base64.b64decode(text), signed)
                return True
        except InvalidSignature:
            pass
    return False


def refused(message, secret):
    headers, body = message
    raises(standardwebhooks.WebhookVerificationError, lambda: standardwebhooks.Webhook(secret).verify(body, headers))
    raises(svix.webhooks.WebhookVerificationError, lambda: svix.webhooks.Webhook(secret).verify(body, headers))
    client = openai.OpenAI(api_key="not used", webhook_secret=secret)
    raises(openai.InvalidWebhookSignatureError, lambda: client.webhooks.unwrap(body, headers))


with Service() as service:
    receiver = Receiver()
    first = service.page("POST", "/api/webhooks", {"url": receiver.url()})
    image = base64.b64encode(png()).decode()
    made = service.page("POST", "/api/image-edit", {"instruction": "make it sepia", "imageBase64": image})
    message = receiver.next()
    event = verified(message, first)
    ok("it names the generation", event["data"]["id"] == made["generation"]["uuid"])
    ok("its address is the generation's", event["data"]["url"].startswith(service.address))
    headers, body = message
    refused((headers, body.replace(b"succeeded", b"forgotten")), first["secret"])
    refused(message, "whsec_" + base64.b64encode(bytes(32)).decode())
    ok("another body or secret is refused")

    second = service.page("POST", f"/api/webhooks/{first['id']}/rotate")
    service.page("POST", f"/api/webhooks/{first['id']}/test")
    message = receiver.next()
    for webhook in (first, second):
        ok("a test", verified(message, webhook)["type"] == "webhook.test")
    delivery = service.page("GET", f"/api/webhooks/{first['id']}/deliveries")["data"][0]
    ok("the delivery is listed", (delivery["status"], delivery["response_status"]) == ("delivered", 204))
