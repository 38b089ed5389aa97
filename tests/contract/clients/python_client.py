"""The client that openapi-python-client generates."""

import json
import sys

from retouch_client import AuthenticatedClient
from retouch_client.api.catalog import list_models
from retouch_client.api.credits_ import find_credits
from retouch_client.api.editing import edit_image
from retouch_client.models import (
    CallKind,
    CreditsView,
    EditResponse,
    ErrorBody,
    ImageEditRequest,
    ListViewModelView,
    OutputFormat,
)

address, key, image = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=key)

models = list_models.sync(client=client, kind=CallKind.IMAGE_EDIT, limit=2)
assert isinstance(models, ListViewModelView)
names: list[str] = [model.id for model in models.data]

asked = ImageEditRequest(instruction="rotate left", image_base_64=image, output_format=OutputFormat.PNG)
edited = edit_image.sync(client=client, body=asked, idempotency_key="python-1")
assert isinstance(edited, EditResponse)
result: str = edited.data[0].url

refused = edit_image.sync(client=client, body=ImageEditRequest(instruction="remove the dog", image_base_64=image))
assert isinstance(refused, ErrorBody)

balance = find_credits.sync(client=client)
assert isinstance(balance, CreditsView)

print(json.dumps({
    "names": names, "has_more": models.next_cursor is not None, "result": result, "cost": edited.cost,
    "code": refused.error.code, "available": balance.available,
}))
