"""Makes edits that take 30 seconds behind an HAProxy that cuts silent connections after 10, in every way in which
callers can wait for them. Each arrives, is charged once, and was ordered once from the provider.

Usage: cut.py RETOUCH SETTINGS FOLDER
"""

import base64
import concurrent.futures
import http.client
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import time

import check

CUT_S = 10
EDIT_S = 30
# Far longer than anything here takes.
WAIT_S_MAX = 120
PRICE = 6
CREDITS = 1_000_015
PROMPT = f"add a hat [sim:slow ms={EDIT_S * 1000}]"
# A model that OpenAI serves, and the name that its clients use.
MODEL, OPENAI_MODEL = "beta-image-1-5", "gpt-image-1.5"
EDIT, OPENAI_EDIT = "/api/image-edit", "/v1/images/edits"
LATER = {"prefer": "respond-async"}


class Simulator:
    """The providers' servers."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip().rsplit("http://", 1)[1]

    def received(self):
        """How many edits were ordered."""
        connection = http.client.HTTPConnection(self.address, timeout=WAIT_S_MAX)
        connection.request("GET", "/_sim/counts")
        return sum(row["received"] for row in json.loads(connection.getresponse().read()))


class Receiver(http.server.ThreadingHTTPServer):
    """Receives webhooks. `heard` has the type of the event about each generation."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.heard = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        event = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.heard[event["data"]["id"]] = event["type"]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


class Installation(check.Installation):
    """The service with an embedded database and a slow provider."""

    def __init__(self, program, folder, simulator):
        self.simulator = simulator
        # Only `serve` creates a database; an empty file is one too, and the commands are faster.
        (folder / "data").mkdir()
        (folder / "data" / "retouch.db").touch()
        super().__init__(program, folder)

    def environment(self):
        return super().environment() | {
            "RETOUCH_STORE__DATABASE_URL": "",
            "RETOUCH_STORE__BLOBS_URL": "",
            "RETOUCH_FETCH__ALLOWED_NETWORKS": "127.0.0.0/8",
            "RETOUCH_PROVIDERS__OPENAI__BASE_URL": f"http://{self.simulator.address}/openai/v1",
            "RETOUCH_PROVIDERS__OPENAI__API_KEY": "key",
        }


class Caller:
    """Calls the service through the proxy. Each way to wait is a method that returns the image."""

    def __init__(self, installation, receiver):
        self.installation, self.receiver = installation, receiver

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.installation.port, timeout=WAIT_S_MAX)

    def call(self, method, path, body=None, **headers):
        """The answer to a call: its status, headers and body."""
        connection = self.connect()
        headers = {"authorization": f"Bearer {self.installation.key}", "content-type": "application/json"} | headers
        headers = {name.replace("_", "-"): value for name, value in headers.items() if value}
        connection.request(method, path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()

    def listen(self):
        """Creates the webhook."""
        page = {"sec_fetch_site": "same-origin", "authorization": None}
        who = {"email": check.EMAIL, "password": "correct horse"}
        status, headers, body = self.call("POST", "/api/auth/sign-in", who, **page)
        expect("signed in", status == 200, body)
        page["cookie"] = headers["set-cookie"].split(";")[0]
        wanted = {"url": f"http://127.0.0.1:{self.receiver.server_port}/hook", "events": ["generation.succeeded"]}
        status, _, body = self.call("POST", "/api/webhooks", wanted, **page)
        expect("the webhook exists", status == 201, body)

    def later(self):
        """The generation of an edit whose answer does not wait for it."""
        status, headers, body = self.call("POST", EDIT, fields(), **LATER)
        expect("accepted", status == 202 and headers["preference-applied"] == "respond-async", body)
        return json.loads(body)["generation"]["uuid"]

    def image(self, generation):
        """The stored image of a generation that has ended."""
        expect("succeeded", (generation["status"], generation["cost"]) == ("succeeded", PRICE), generation)
        path = generation["stored_images"][0].split("/files/")[1]
        return self.call("GET", f"/files/{path}")[2]

    def generation(self, uuid):
        status, headers, body = self.call("GET", f"/api/generations/{uuid}")
        expect("the generation is shown", status == 200, body)
        return json.loads(body), headers

    def by_polling(self):
        uuid = self.later()
        while True:
            generation, headers = self.generation(uuid)
            if generation["status"] != "processing":
                return self.image(generation)
            time.sleep(int(headers["retry-after"]))

    def by_events(self):
        stream = self.stream("GET", f"/api/generations/{self.later()}/events", None, "generation")
        first, last = next(stream), next(stream)
        expect("the first event is about the work", first["status"] == "processing", first)
        return self.image(last)

    def by_webhook(self):
        uuid = self.later()
        check.until(lambda: uuid in self.receiver.heard, "no event has arrived", WAIT_S_MAX)
        expect("the event", self.receiver.heard[uuid] == "generation.succeeded", self.receiver.heard)
        return self.image(self.generation(uuid)[0])

    def by_key(self):
        """The proxy cuts the call, and the caller repeats it with its Idempotency-Key."""
        repeated = lambda: self.call("POST", EDIT, fields(), idempotency_key="by-key")
        self.is_cut(repeated())
        status, headers, body = repeated()
        while status == 409:
            time.sleep(int(headers["retry-after"]))
            status, headers, body = repeated()
        expect("the first answer", (status, headers["idempotent-replayed"]) == (200, "true"), body)
        return base64.b64decode(json.loads(body)["data"][0]["url"].split(",")[1])

    def by_openai_stream(self):
        stream = self.stream("POST", OPENAI_EDIT, openai_fields() | {"stream": True}, "image_edit.completed")
        return base64.b64decode(next(stream)["b64_json"])

    def by_openai_attempts(self):
        """A client of OpenAI repeats a call that was cut, and says so. The service lets it wait."""
        attempt = lambda count: self.call("POST", OPENAI_EDIT, openai_fields(), x_stainless_retry_count=str(count))
        self.is_cut(attempt(0))
        answers = (attempt(count) for count in range(1, WAIT_S_MAX // CUT_S))
        _, headers, body = next(answer for answer in answers if answer[0] != 504)
        expect("the first answer", headers["idempotent-replayed"] == "true", body)
        return base64.b64decode(json.loads(body)["data"][0]["b64_json"])

    def by_openai_key(self):
        """A call that does not wait, repeated as one that does."""
        key = {"idempotency_key": "by-openai-key"}
        status, _, body = self.call("POST", OPENAI_EDIT, openai_fields(), **LATER, **key)
        expect("accepted", status == 202, body)
        status = 409
        while status == 409:
            status, headers, body = self.call("POST", OPENAI_EDIT, openai_fields(), **key)
            time.sleep(int(headers["retry-after"] or 0))
        expect("the image", status == 200, body)
        return base64.b64decode(json.loads(body)["data"][0]["b64_json"])

    def is_cut(self, answer):
        status, _, body = answer
        expect("the proxy cuts the call", status == 504 and b"error" not in body, body)

    def stream(self, method, path, body, name):
        """The data of the events with this name on one connection, which is not cut."""
        connection = self.connect()
        headers = {"authorization": f"Bearer {self.installation.key}", "content-type": "application/json"}
        connection.request(method, path, body and json.dumps(body), headers)
        answer = connection.getresponse()
        expect("a stream", answer.status == 200 and "event-stream" in answer.headers["content-type"], answer.headers)
        event = None
        for line in answer:
            kind, _, text = line.decode().strip().partition(":")
            if kind == "event":
                event = text.strip()
            if kind == "data" and event == name:
                yield json.loads(text)


def fields():
    return {"model": MODEL, "instruction": PROMPT, "imageBase64": check.PICTURE}


def openai_fields():
    image = {"image_url": f"data:image/png;base64,{check.PICTURE}"}
    return {"model": OPENAI_MODEL, "prompt": PROMPT, "images": [image]}


def expect(what, is_so, found):
    if not is_so:
        raise AssertionError(f"{what}: {found}")


def cutting(settings, folder):
    """HAProxy's settings, except that it waits for 10 seconds only, and that late answers to its health checks, which
    are not the subject here, take no server away."""
    text, changed = pathlib.Path(settings).read_text(), folder / "cutting.cfg"
    for before, after in [("timeout server 310s", f"timeout server {CUT_S}s"), (" fall 2 ", " fall 1000 ")]:
        expect("one such setting", text.count(before) == 1, before)
        text = text.replace(before, after)
    changed.write_text(text)
    return changed


def compare(installation, simulator, images):
    """Checks that all ways had the same image, and that each was charged and ordered once."""
    for name, image in images.items():
        expect(f"{name}: a PNG", image.startswith(b"\x89PNG"), image[:80])
    # The simulator's images depend on the prompt and the inputs only.
    expect("the images are the same", len(set(images.values())) == 1, {n: len(i) for n, i in images.items()})
    shown = installation.credits()
    spent = CREDITS - shown["available"]
    expect("each is charged once", (spent, shown["held"]) == (PRICE * len(images), 0), shown)
    expect("each is ordered once", simulator.received() == len(images), simulator.received())
    installation.run("credits", "verify")


def main():
    program, settings, folder = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    simulator = Simulator(program.with_name("retouch-sim"))
    node = balancer = None
    try:
        installation = Installation(program, folder, simulator)
        node = check.Node(installation, check.NAMES[0])
        node.start()
        # All of HAProxy's servers are this one.
        aliases = [check.Node(installation, name) for name in check.NAMES]
        for alias in aliases:
            alias.port = node.port
        balancer = check.Balancer(cutting(settings, folder), installation, aliases)
        caller = Caller(installation, Receiver())
        caller.listen()
        ways = [name for name in dir(caller) if name.startswith("by_")]
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(len(ways)) as pool:
            waiting = {name: pool.submit(getattr(caller, name)) for name in ways}
            images = {name: way.result() for name, way in waiting.items()}
        took_s = time.monotonic() - began
        expect("the edits were slow", took_s >= EDIT_S, took_s)
        compare(installation, simulator, images)
        print(f"{len(ways)} edits of {EDIT_S} s behind a cut of {CUT_S} s, each charged once:", ", ".join(ways))
    except Exception:
        if node:
            print(installation.logs(), file=sys.stderr)
        raise
    finally:
        for process in [node and node.process, balancer and balancer.process, simulator.process]:
            if process and process.poll() is None:
                process.kill()


main()
