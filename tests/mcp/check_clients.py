"""The tools of Retouch with the Python clients `mcp` and `fastmcp` in both revisions, and with the
inspector, each over HTTP and over standard input and output.

    check_clients.py RETOUCH FOLDER INSPECTOR...     the program, an empty folder for its data, and the
                                                     command of the inspector
"""

import asyncio
import base64
import json
import os
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import fastmcp
import httpx2
import mcp
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from service import Service, ok

RETOUCH, FOLDER, INSPECTOR = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
TOOLS = {
    "edit_image", "generate_image", "plan_edit", "estimate_cost", "get_generation", "list_models",
    "get_balance", "upload_image",
}
# The most bytes of an answer.
ANSWER_BYTES_MAX = 256 * 1024
# The revision with a handshake, and the one without.
REVISIONS = {"legacy": "2025-11-25", "auto": "2026-07-28"}


def png(width=900, height=600):
    """A PNG of one color."""
    rows = (b"\0" + bytes((64, 128, 192)) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [(b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunk(*part) for part in parts)


def size(file):
    """The size of a PNG."""
    return struct.unpack(">II", file[16:24])


def text(result):
    return "\n".join(part.text for part in result.content if part.type == "text")


def image_of(result):
    return next(part for part in result.content if part.type == "image")


async def check_server_tools(client, call):
    """What every client of a server can do. Both clients check results against the output schemas."""
    names = {tool.name for tool in await tools_of(client)}
    ok(f"lists {len(names)} tools", names == TOOLS)
    for tool in await tools_of(client):
        hints = tool.annotations
        ok(f"{tool.name} is not destructive", hints.destructive_hint is False and tool.output_schema)
    planned = await call("plan_edit", instruction="crop to 1:1, then increase the contrast by 20%")
    ok("plans", len(planned.structured_content["plan"]["steps"]) == 2)
    refused = await call("plan_edit", instruction="remove the dog")
    ok("says why it refuses", refused.structured_content["refusal"]["kind"] == "needs_generative_model")
    ok("lists models", len((await call("list_models")).structured_content["data"]) > 3)
    before = (await call("get_balance")).structured_content["available"]
    picture = "data:image/png;base64," + base64.b64encode(png()).decode()
    cost = (await call("estimate_cost", instruction="rotate left", images=[picture])).structured_content["cost"]
    edited = await call("edit_image", instruction="rotate left", images=[picture])
    after = edited.structured_content["available"]
    ok(f"edits for {cost} credits", before - after == cost)
    preview = base64.b64decode(image_of(edited).data)
    ok("shows a small preview", size(preview) == (512, 768))
    link = next(part for part in edited.content if part.type == "resource_link")
    full = httpx2.get(str(link.uri)).content
    ok("links to the full image", size(full) == (600, 900))
    whole = sum(len(part.model_dump_json()) for part in edited.content)
    ok("answers briefly", whole + len(json.dumps(edited.structured_content)) < ANSWER_BYTES_MAX)
    uploaded = await call("upload_image", image=picture)
    again = await call("edit_image", instruction="sepia", images=[uploaded.structured_content["id"]])
    uuid = again.structured_content["generation"]["uuid"]
    found = await call("get_generation", uuid=uuid)
    ok("finds a generation", found.structured_content["generation"]["uuid"] == uuid)
    made = await call("generate_image", instruction="a red picture of 64x64 pixels")
    ok("creates an image", size(base64.b64decode(image_of(made).data)) == (64, 64))
    manual = await client.read_resource("retouch://manual")
    contents = getattr(manual, "contents", manual)
    ok("has a manual", "crop" in contents[0].text)
    record = await client.read_resource(f"retouch://generations/{uuid}")
    ok("has generations as resources", uuid in getattr(record, "contents", record)[0].text)


async def tools_of(client):
    listed = await client.list_tools()
    return getattr(listed, "tools", listed)


async def check_files(call, name):
    """What a client on this machine can do with files."""
    source, target = FOLDER / "in.png", FOLDER / f"{name}.jpg"
    source.write_bytes(png())
    done = await call("edit_image", instruction="rotate left", images=[str(source)], save_to=str(target))
    ok("edits a file and saves the result", target.read_bytes()[:2] == b"\xff\xd8")
    ok("says where", str(target) in text(done))
    refused = await call("edit_image", instruction="sepia", images=[str(source)], save_to=str(target))
    ok("overwrites nothing", refused.is_error and "already exists" in text(refused))
    missing = await call("edit_image", instruction="sepia", images=[str(FOLDER / "none.png")])
    ok("reports a missing file", missing.is_error and "none.png" in text(missing))


async def with_mcp(server, mode, checks):
    async with mcp.Client(server, mode=mode) as client:
        ok(f"mcp speaks {client.protocol_version}", client.protocol_version == REVISIONS[mode])

        async def call(name, **arguments):
            return await client.call_tool(name, arguments)

        await checks(client, call)


async def with_fastmcp(transport, mode, checks):
    async with fastmcp.Client(transport, mode=mode) as client:
        ok(f"fastmcp speaks {client.protocol_version}", client.protocol_version == REVISIONS[mode])

        async def call(name, **arguments):
            return await client.call_tool(name, arguments, raise_on_error=False)

        await checks(client, call)


def check_inspector(target):
    """What the inspector's command line can do. It also looks for mistakes in the schemas of tools."""

    def inspect(*words):
        done = subprocess.run([*INSPECTOR, *target, *words], capture_output=True, text=True)
        ok(f"the inspector: {' '.join(words)} {'' if done.returncode == 0 else done.stderr}", done.returncode == 0)
        return json.loads(done.stdout)

    names = {tool["name"] for tool in inspect("--method", "tools/list", "--strict")["tools"]}
    ok("lists tools", names in (TOOLS, {"edit_image", "generate_image", "plan_edit"}))
    call = ["--method", "tools/call", "--tool-name"]
    planned = inspect(*call, "plan_edit", "--tool-arg", "instruction=sepia")
    ok("plans", len(planned["structuredContent"]["plan"]["steps"]) == 1)
    made = inspect(*call, "generate_image", "--tool-arg", "instruction=a red picture of 64x64 pixels")
    image = next(part for part in made["content"] if part["type"] == "image")
    ok("creates an image", size(base64.b64decode(image["data"])) == (64, 64))
    manual = inspect("--method", "resources/read", "--uri", "retouch://manual")
    ok("reads the manual", "crop" in manual["contents"][0]["text"])


async def main():
    with Service(RETOUCH, FOLDER) as service:
        address, bearer = f"{service.url}/mcp", {"Authorization": f"Bearer {service.key}"}
        remote = ["mcp", "--server", service.url]
        environment = {**os.environ, "RETOUCH_API_KEY": service.key}
        for mode in REVISIONS:
            print(f"--- {mode}: HTTP", flush=True)
            async with httpx2.AsyncClient(headers=bearer, timeout=60) as http:
                await with_mcp(streamable_http_client(address, http_client=http), mode, check_server_tools)
            await with_fastmcp(StreamableHttpTransport(address, headers=bearer), mode, check_server_tools)
            print(f"--- {mode}: standard input and output, with the server", flush=True)
            parameters = StdioServerParameters(command=RETOUCH, args=remote, env=environment)

            async def all_checks(client, call):
                await check_server_tools(client, call)
                await check_files(call, f"remote-{mode}")

            await with_mcp(parameters, mode, all_checks)
            print(f"--- {mode}: standard input and output, offline", flush=True)

            async def local_checks(client, call):
                names = {tool.name for tool in await tools_of(client)}
                ok("lists the tools of the built-in editor", names == {"edit_image", "generate_image", "plan_edit"})
                await check_files(call, f"local-{mode}-{type(client).__module__.split('.')[0]}")
                made = await call("generate_image", instruction="a red picture of 64x64 pixels")
                ok("creates an image", size(base64.b64decode(image_of(made).data)) == (64, 64))

            await with_mcp(StdioServerParameters(command=RETOUCH, args=["mcp"]), mode, local_checks)
            await with_fastmcp(StdioTransport(RETOUCH, ["mcp"]), mode, local_checks)
        print("--- the inspector", flush=True)
        check_inspector(["--transport", "http", "--server-url", address, "--header", f"Authorization: {bearer['Authorization']}"])
        check_inspector([RETOUCH, "mcp"])
        service.command("credits", "verify")
        ok("the books balance")


asyncio.run(main())
