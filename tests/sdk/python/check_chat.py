"""The simulator of a chat server, with OpenAI's client, and the schema of a language model's answers, with a compiler of
constraints for local models."""

import json
import pathlib
import urllib.request

import llguidance
import openai
from sdk_check import ORIGIN, fault, ok, raises

SCHEMA_FILE = pathlib.Path(__file__).parents[3] / "crates/providers/src/reader/schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
ANSWER = {"english": "brighter", "outcome": "edit", "steps": [{"words": "más", "sentence": "brighter"}], "ignored": [],
          "question": ""}

client = openai.OpenAI(base_url=f"{ORIGIN}/chat/v1", api_key="sk-sim", max_retries=0, timeout=20)


def script(*texts):
    body = json.dumps({"says": texts}).encode()
    call = urllib.request.Request(f"{ORIGIN}/chat/_sim/script", body, {"content-type": "application/json"})
    ok("a script is accepted", urllib.request.urlopen(call, timeout=20).status == 204)


def complete(model="test-8b", schema=SCHEMA, **more):
    named = {"name": "reading", "strict": True, "schema": schema}
    messages = [{"role": "system", "content": "Read."}, {"role": "user", "content": "más"}]
    return client.chat.completions.create(model=model, messages=messages,
                                          response_format={"type": "json_schema", "json_schema": named}, **more)


script(json.dumps(ANSWER))
answer = complete(temperature=0, max_tokens=100)
ok("the scripted answer arrives", json.loads(answer.choices[0].message.content) == ANSWER)
ok("without a script, it is no JSON", not complete().choices[0].message.content.startswith("{"))
raises(openai.BadRequestError, lambda: complete("reasoning-1", temperature=0))
raises(openai.BadRequestError, lambda: complete("basic-1"))
for wrong in ({**SCHEMA, "required": []}, {**SCHEMA, "additionalProperties": True}, {**SCHEMA, "minLength": 1}):
    raises(openai.BadRequestError, lambda: complete(schema=wrong))
for name, kind in [("bad_key", openai.AuthenticationError), ("throttle", openai.RateLimitError),
                   ("internal_error", openai.InternalServerError)]:
    fault(name, provider="chat")
    raises(kind, complete)
    ok(f"{name} is understood")


class Letters:
    """A vocabulary with one token for each byte."""

    eos_token_id = 256
    bos_token_id = None
    tokens = [bytes([byte]) for byte in range(256)] + [b"<|end|>"]
    special_token_ids = [256]

    def __call__(self, text):
        return list(text.encode() if isinstance(text, str) else text)


grammar = llguidance.LLMatcher.grammar_from_json_schema(json.dumps(SCHEMA))
tokenizer = llguidance.LLTokenizer(llguidance.TokenizerWrapper(Letters()))


def accepts(text):
    matcher = llguidance.LLMatcher(tokenizer, grammar)
    ok(f"the schema compiles{matcher.get_error()}", not matcher.is_error())
    return matcher.consume_tokens(list(text.encode())) and matcher.is_accepting()


ok("an answer is accepted", accepts(json.dumps(ANSWER, ensure_ascii=False)))
ok("another outcome is not", not accepts(json.dumps({**ANSWER, "outcome": "delete"})))
ok("steps before the translation are not", not accepts(json.dumps(dict(reversed(ANSWER.items())))))
ok("prose is not", not accepts("Sure! Here it is: {"))
