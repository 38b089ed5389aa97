// A run as code for a shell, Python and JavaScript.

import { EXTENSIONS, facts, make, $ } from './dom.js';
import { path } from './runner.js';

const WRITERS = { curl, python, javascript };

/** Sets up the tabs. */
export function begin(version) {
  for (const tab of document.querySelectorAll('[data-language]')) {
    tab.onclick = () => draw(version, tab.dataset.language);
  }
  draw(version, document.querySelector('[data-language][aria-pressed="true"]').dataset.language);
  $('copy-code').hidden = !navigator.clipboard;
  $('copy-code').onclick = async () => {
    await navigator.clipboard.writeText($('code').textContent);
    $('copy-code').textContent = 'Copied';
    setTimeout(() => { $('copy-code').textContent = 'Copy'; }, 2_000);
  };
}

function draw(version, language) {
  for (const tab of document.querySelectorAll('[data-language]')) {
    tab.setAttribute('aria-pressed', String(tab.dataset.language === language));
  }
  $('code').replaceChildren(make('span', { textContent: write(language, version) }));
}

/** The call of `version` in `language`. It reads files by name and refers to stored images by URL. */
export function write(language, { kind, fields, inputs }) {
  const file = `result.${EXTENSIONS[fields.output_format ?? 'png']}`;
  return WRITERS[language]({ url: facts.base_url + path(kind), kind, fields, inputs, file });
}

const isFile = ({ address }) => !address;

/** `text` quoted for a shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function curl({ url, kind, fields, inputs, file }) {
  // A null character, which JSON text cannot contain, marks where the shell inserts a file.
  const images = inputs.map((input) => isFile(input) ? `"data:;base64,\0${input.name}\0"` : JSON.stringify(input.address));
  const json = JSON.stringify(fields).slice(0, -1);
  const whole = inputs.length > 0 ? `${json},"imageUrls":[${images.join(',')}]}` : `${json}}`;
  const body = whole.split('\0').map((part, index) => index % 2 === 0 ? quoted(part)
    : `"$(base64 < ${quoted(part)} | tr -d '\\n')"`).join('');
  const save = kind === 'video' ? '' : ` |
  python3 -c 'import sys, json, base64; data = json.load(sys.stdin)["data"][0]["url"]
open("${file}", "wb").write(base64.b64decode(data.split(",")[1]))'`;
  return `printf '%s' ${body} |
  curl -sS ${url} \\
    -H "Authorization: Bearer $RETOUCH_KEY" \\
    -H 'Content-Type: application/json' --data-binary @-${save}`;
}

/** A value as Python writes it. */
function pythonic(value) {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  if (Array.isArray(value)) return `[${value.map(pythonic).join(', ')}]`;
  if (typeof value === 'object') return `{${Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonic(one)}`).join(', ')}}`;
  return JSON.stringify(value);
}

function python({ url, kind, fields, inputs, file }) {
  const lines = Object.entries(fields).map(([name, value]) => `    ${JSON.stringify(name)}: ${pythonic(value)},`);
  const image = (input) => isFile(input) ? `image(${JSON.stringify(input.name)})` : JSON.stringify(input.address);
  if (inputs.length > 0) lines.push(`    "imageUrls": [${inputs.map(image).join(', ')}],`);
  const reader = inputs.some(isFile) ? `
def image(path):
    with open(path, "rb") as file:
        return "data:;base64," + base64.b64encode(file.read()).decode()

` : '';
  const save = kind === 'video' ? 'print(answer["generation"]["uuid"])' : `data = answer["data"][0]["url"].split(",")[1]
with open("${file}", "wb") as file:
    file.write(base64.b64decode(data))`;
  return `import base64, json, os, urllib.request
${reader}
body = {
${lines.join('\n')}
}
request = urllib.request.Request(
    ${JSON.stringify(url)},
    json.dumps(body).encode(),
    {"Authorization": "Bearer " + os.environ["RETOUCH_KEY"], "Content-Type": "application/json"},
)
answer = json.load(urllib.request.urlopen(request))
${save}`;
}

function javascript({ url, kind, fields, inputs, file }) {
  const lines = Object.entries(fields).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  const image = (input) => isFile(input) ? `await image(${JSON.stringify(input.name)})` : JSON.stringify(input.address);
  if (inputs.length > 0) lines.push(`  imageUrls: [${inputs.map(image).join(', ')}],`);
  const reader = inputs.some(isFile)
    ? '\nconst image = async (path) => `data:;base64,${(await readFile(path)).toString("base64")}`;\n' : '';
  const save = kind === 'video' ? 'console.log(answer.generation.uuid);'
    : `await writeFile("${file}", Buffer.from(answer.data[0].url.split(",")[1], "base64"));`;
  return `import { readFile, writeFile } from "node:fs/promises";
${reader}
const body = {
${lines.join('\n')}
};
const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: { authorization: \`Bearer \${process.env.RETOUCH_KEY}\`, "content-type": "application/json" },
  body: JSON.stringify(body),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.error.message);
${save}`;
}
