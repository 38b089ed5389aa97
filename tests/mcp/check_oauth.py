"""OAuth: a Python client connects itself to `/mcp`, renews its access and is disconnected, and the
conformance tests for authorization servers run.

    check_oauth.py RETOUCH FOLDER TESTS...     the program, an empty folder for its data, and the command
                                               of the conformance tests
"""

import asyncio
import html
import re
import socket
import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import mcp
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata
from service import EMAIL, PASSWORD, Service, ok

RETOUCH, FOLDER, TESTS = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]


class Person:
    """A person with a browser, which is asked to connect a program."""

    def __init__(self, url):
        self.url, self.agreed = url, 0
        self.browser = httpx2.Client(headers={"Sec-Fetch-Site": "same-origin"}, follow_redirects=True, timeout=60)

    def agree(self, address):
        """Opens the program's request, signs in if that is asked for, and agrees. Returns where the
        browser is led to."""
        page = self.browser.get(address)
        if page.url.path == "/sign-in":
            fields = {"email": EMAIL, "password": PASSWORD, "next": page.url.params["next"]}
            page = self.browser.post(f"{self.url}/sign-in", data=fields)
        query = html.unescape(re.search(r'name="query" value="([^"]*)"', page.text)[1])
        fields = {"query": query, "decision": "allow", "credit_limit_per_day": "100"}
        led = self.browser.post(f"{self.url}/oauth/authorize", data=fields)
        self.agreed += 1
        return html.unescape(re.search(r'http-equiv="refresh" content="0; url=([^"]*)"', led.text)[1])

    def disconnect_all(self):
        """Revokes everything on the page of keys."""
        for path in re.findall(r'action="(/keys/[^"]+/revoke)"', self.browser.get(f"{self.url}/keys").text):
            self.browser.post(self.url + path, data={"": ""})


class Memory:
    """Where the client keeps what it gets."""

    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def provider(service, person, memory):
    """The client's side of OAuth. Its person does everything at once."""
    landed = []

    async def leave(address):
        landed.append(person.agree(address))

    async def arrive():
        answer = {name: values[0] for name, values in parse_qs(urlsplit(landed.pop()).query).items()}
        return AuthorizationCodeResult(**answer)

    described = OAuthClientMetadata(client_name="Checker", redirect_uris=["http://127.0.0.1:7/callback"])
    return OAuthClientProvider(f"{service.url}/mcp", described, memory, leave, arrive)


async def check_client(service, person):
    memory = Memory()
    auth = provider(service, person, memory)

    async def balance():
        async with httpx2.AsyncClient(auth=auth, timeout=60) as http:
            async with mcp.Client(streamable_http_client(f"{service.url}/mcp", http_client=http)) as client:
                return (await client.call_tool("get_balance", {})).structured_content["available"]

    ok("the client connects itself", await balance() == 1000 + 15 and person.agreed == 1)
    ok("as a public client", memory.client.token_endpoint_auth_method == "none")
    first = memory.tokens
    ok("for an hour", first.expires_in == 3600 and first.scope == "edit read")
    auth.context.token_expiry_time = 1
    await balance()
    renewed = memory.tokens
    ok("it renews its access", person.agreed == 1 and renewed.access_token != first.access_token)
    ok("with another refresh token", renewed.refresh_token != first.refresh_token)
    person.disconnect_all()
    await balance()
    ok("it asks again after it was disconnected", person.agreed == 2)


def check_conformance(service, person):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    described = {"client_name": "Conformance", "redirect_uris": ["http://127.0.0.1/callback"]}
    client = httpx2.post(f"{service.url}/oauth/register", json=described, timeout=60).json()["client_id"]
    words = ["authorization", "--url", service.url, "--client-id", client, "--port", str(port)]
    words += ["--resource", f"{service.url}/mcp"]
    tests = subprocess.Popen([*TESTS, *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    told = []
    for line in tests.stdout:
        told.append(line)
        if line.startswith(f"{service.url}/oauth/authorize?"):
            httpx2.get(person.agree(line.strip()))
    ok("the conformance tests of authorization servers pass:\n" + "".join(told[-8:]), tests.wait() == 0)


with Service(RETOUCH, FOLDER) as service:
    person = Person(service.url)
    asyncio.run(check_client(service, person))
    check_conformance(service, person)
    service.command("credits", "verify")
    ok("the books balance")
