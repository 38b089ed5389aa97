"""Where the service differs from a check of schemathesis, and why. Everything else must pass.

Schemathesis loads this file. It replaces each check that has exceptions by one that forgives exactly these.
"""

import schemathesis
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

PASSKEY = ("client_data", "attestation", "authenticator_data", "signature", "user_handle", "id")
ONE_OF = ("instruction", "imageUrl", "image", "plan")
PASSWORDS = ("current_password", "password")

# Refusals of requests that the document allows: the code of the error, its fields (empty: any), and why
# the document cannot say it.
REFUSALS = [
    ("instruction_not_supported", (), "Which sentences are understood is not a matter of schemas."),
    ("edit_too_large", (), "The cost of an edit depends on all of its parts."),
    ("image_fetch_failed", (), "Whether there is an image at an address shows when it is fetched."),
    ("image_too_large", (), "How many pixels a file has shows when it is read."),
    ("invalid_form", (), "Parts whose names have control characters are refused."),
    ("invalid_image", (), "Which bytes are an image is not a matter of schemas."),
    ("unknown_model", (), "The models are the operator's."),
    ("unsupported_aspect_ratio", (), "Each model has its own."),
    ("too_many_images", (), "Each model has its own limit."),
    ("conflicting_fields", (), "Fields that exclude each other are each valid."),
    ("request_refused", (), "What no provider does is refused with the reason."),
    ("insufficient_credits", (), "A balance ends."),
    ("idempotency_mismatch", (), "A key belongs to the request that it was first used for."),
    ("already_subscribed", (), "The plan is the one that the account has."),
    ("invalid_cursor", (), "Only the service makes cursors."),
    ("invalid_email", (), "Which domains an address may have is not a matter of schemas."),
    ("invalid_password", (), "Common passwords and the email address itself are refused."),
    ("invalid_invitation", (), "Only the service makes invitations."),
    ("invalid_token", (), "Only the service makes the tokens of links."),
    ("invalid_signature", (), "Only Stripe can sign its webhooks."),
    ("billing_not_configured", (), "This service has no payment provider."),
    ("mail_not_configured", (), "This service sends no email."),
    ("passkeys_not_available", (), "Browsers have no passkeys at 127.0.0.1."),
    ("range_not_satisfiable", (), "How many bytes a file has is not a matter of schemas."),
    ("invalid_value", ("imageUrl", "imageUrls", "imageBase64", "images", "mask"), "It must be an image, or its URL."),
    ("invalid_value", ("instruction", "prompt"), "White space says nothing, and U+0000 is not text."),
    ("invalid_value", ("aspectRatio", "size", "quality", "duration_seconds"), "Each model has its own."),
    ("invalid_value", ("response_format", "output_format", "background"), "Forms have no null, only a text."),
    ("invalid_value", ("format",), "A video cannot become an image."),
    ("invalid_value", ("input_sizes",), "There must be one for each image."),
    ("invalid_value", ("name",), "A name is one line."),
    ("invalid_value", ("expires_at",), "It must be in the future."),
    ("invalid_value", ("url",), "Which hosts may get webhooks is the operator's decision."),
    ("invalid_value", ("plan", "pack"), "What is for sale is the operator's decision."),
    ("invalid_value", PASSKEY, "Only a browser makes these."),
    ("invalid_type", ("expires_at",), "The format of a text is only a hint."),
    ("missing_field", ONE_OF, "One of several fields is required, which would leave generated clients without types."),
    ("missing_field", PASSWORDS, "Accounts with a password must send it."),
]

# What is accepted although the document does not allow it: the call, and why.
LENIENT = {
    "GET /api/models": "Forms send empty fields, which count as none.",
    "POST /v1/images/generations": "OpenAI's clients send numbers and booleans as texts, and fields of any type.",
    "POST /v1/images/edits": "OpenAI's clients send numbers and booleans as texts, and fields of any type.",
}


def is_refusal(response):
    """Whether the response is one of the refusals above."""
    try:
        error = response.json()["error"]
    except (ValueError, KeyError, TypeError):
        return False
    if not isinstance(error, dict):
        return False
    about = (error.get("param") or "").split("[")[0]
    return any(error.get("code") == code and (not fields or about in fields) for code, fields, _ in REFUSALS)


def forgiving(check, forgives):
    """Runs `check` on everything that it is not to forgive."""

    def replaced(ctx, response, case):
        return None if forgives(response, case) else check(ctx, response, case)

    # The name tells it from the check itself, which the settings turn off.
    replaced.__name__ = f"{check.__name__}_with_exceptions"
    schemathesis.check(replaced)


for check in (not_a_server_error, checks.positive_data_acceptance, checks.missing_required_header):
    forgiving(check, lambda response, case: is_refusal(response))
forgiving(checks.negative_data_rejection, lambda response, case: case.operation.label in LENIENT)
