// Puts faults that the contract rules out into the server's answers, one at a time, and counts how many
// of them the collection notices. Faults are derived from the contract: nobody wrote them for a test.
//
// A proxy stands between newman and the server. For each operation, and each fault that its documented
// success can have, the operation's folder of the collection runs once through the proxy.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import assert from 'node:assert/strict';

const { NODE_MODULES, SERVER, KEY, COLLECTION } = process.env;
const newman = createRequire(`${NODE_MODULES}/`)('newman');
const collection = JSON.parse(readFileSync(COLLECTION, 'utf8'));
const base = '/api/v1';
const contract = await (await fetch(`${SERVER}${base}/openapi`)).json();
const CAUGHT = 0.9;

const pointed = (reference) => reference.slice(2).split('/').reduce((it, step) => it[step.replace(/~1/g, '/').replace(/~0/g, '~')], contract);
const resolve = (it) => (it?.$ref ? resolve(pointed(it.$ref)) : it);
/** The schema with those that it is made of; of alternatives, none. */
const parts = (schema) => {
  const found = resolve(schema) ?? {};
  return [found, ...(found.allOf ?? []).flatMap(parts)];
};

/** Every operation with its success as the contract describes it. */
function operations() {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item).filter(([, it]) => it.responses).map(([method, operation]) => {
      const [status, response] = Object.entries(operation.responses).find(([code]) => code.startsWith('2'));
      const [media, body] = Object.entries(resolve(response).content ?? {})[0] ?? [];
      const pattern = new RegExp(`^${base}${path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
      return { operation, id: operation.operationId, method: method.toUpperCase(), pattern, holes: path.split('{').length, status: Number(status), media, schema: body?.schema, headers: resolve(response).headers ?? {} };
    }));
}

/** The value at the first place where `choose` finds a schema with a member; the place is a list of steps. */
function places(value, schema, at = [], found = []) {
  for (const part of parts(schema)) {
    for (const [name, member] of Object.entries(part.properties ?? {})) {
      if (value !== null && typeof value === 'object' && name in value) {
        found.push({ at: [...at, name], required: parts(schema).some((it) => it.required?.includes(name)), schema: member });
        places(value[name], member, [...at, name], found);
      }
    }
    if (part.items && Array.isArray(value) && value.length > 0) places(value[0], part.items, [...at, 0], found);
  }
  return found;
}

const all = operations();
/** The operation of a request: of those whose path fits, the one with the fewest parameters. */
const operationOf = (method, path) => {
  const fitting = all.filter((op) => op.method === method && op.pattern.test(path));
  return fitting.sort((a, b) => a.holes - b.holes)[0];
};

const inside = (value, at) => at.slice(0, -1).reduce((it, step) => it[step], value);
const change = (at, make) => (value) => {
  const holder = inside(value, at);
  const made = make(holder[at.at(-1)]);
  if (made === undefined) delete holder[at.at(-1)];
  else holder[at.at(-1)] = made;
};
const first = (list, choose) => list.filter(choose).slice(0, 1);
/** A list with at least two items, the first that the value holds at its top. */
const listed = (value) => Object.entries(value ?? {}).find(([, it]) => Array.isArray(it) && it.length > 1)?.[0];

/** The faults of an operation whose good answer is `value`. */
function faults(op, value) {
  const found = [];
  const add = (kind, fault) => found.push({ kind, ...fault });
  add('status changed', { head: (head) => { head.status = op.status === 200 ? 202 : 200; } });
  for (const [name, header] of Object.entries(op.headers)) {
    if (resolve(header).required) add(`header ${name} lost`, { head: (head) => { delete head.headers[name.toLowerCase()]; } });
  }
  if (!op.media) return found;
  add('media type changed', { head: (head) => { head.headers['content-type'] = 'text/plain'; } });
  if (!/json$/.test(op.media)) return found;
  add('body cut short', { text: (text) => text.slice(0, -1) });
  const members = places(value, op.schema);
  const deep = members.filter(({ at }) => at.length > 2);
  const typed = (name) => ({ schema }) => parts(schema).some(({ type }) => [type].flat().includes(name));
  for (const [where, list] of [['', members], [' inside', deep]]) {
    for (const { at } of first(list, ({ required }) => required)) add(`required member dropped${where}`, { json: change(at, () => undefined) });
    for (const { at } of first(list, typed('string'))) add(`string made a number${where}`, { json: change(at, () => 7) });
    for (const { at } of first(list, typed('integer'))) add(`integer made a string${where}`, { json: change(at, String) });
    for (const { at } of first(list, ({ schema }) => parts(schema).some((it) => it.pattern || it.enum || it.const))) {
      add(`value out of its range${where}`, { json: change(at, () => '\u20ac') });
    }
    for (const { at } of first(list, ({ required }) => required)) {
      add(`extra member${where}`, { json: (it) => { inside(it, at).fromNowhere = 1; } });
    }
  }
  const name = listed(value);
  if (name) {
    add('order reversed', { json: (it) => { it[name].reverse(); } });
    add('item twice', { json: (it) => { it[name].push(it[name][0]); } });
    add('item lost', { json: (it) => { it[name].splice(0, 1); } });
  }
  if (typeof value.pageKey === 'string') {
    add('cursor broken', { json: (it) => { it.pageKey = it.pageKey && it.pageKey.replace(/.$/, 'x'); } });
    add('cursor lost', { json: (it) => { it.pageKey = null; } });
  }
  return found;
}

/** What the proxy does to the answers of which operation; null for nothing. */
let fault = null;
/** The last good answer of the operation that is looked at. */
let good = null;

const proxy = http.createServer((request, response) => {
  const options = { host: new URL(SERVER).hostname, port: new URL(SERVER).port, path: request.url, method: request.method, headers: request.headers };
  request.pipe(http.request(options, async (answer) => {
    const chunks = [];
    for await (const chunk of answer) chunks.push(chunk);
    let text = Buffer.concat(chunks).toString();
    const head = { status: answer.statusCode, headers: { ...answer.headers } };
    if (fault && operationOf(request.method, request.url.split('?')[0]) === fault.op && answer.statusCode === fault.op.status) {
      if (/json$/.test(fault.op.media ?? '')) good = JSON.parse(text);
      fault.head?.(head);
      if (fault.json) {
        const value = JSON.parse(text);
        // A later page may lack what the fault is about.
        try { fault.json(value); } catch { /* it is not there */ }
        text = JSON.stringify(value);
      }
      if (fault.text) text = fault.text(text);
    }
    delete head.headers['transfer-encoding'];
    head.headers['content-length'] = Buffer.byteLength(text);
    if (head.status === 204) delete head.headers['content-length'];
    response.writeHead(head.status, head.headers).end(head.status === 204 ? undefined : text);
  }));
});
await new Promise((listening) => proxy.listen(0, '127.0.0.1', listening));

/** Runs a folder through the proxy; how many of its assertions or scripts failed. */
const run = (folder) => new Promise((done, failed) => {
  const envVar = [{ key: 'baseUrl', value: `http://127.0.0.1:${proxy.address().port}${base}` }, { key: 'serviceApiKey', value: KEY }];
  newman.run({ collection, folder, envVar, reporters: [] }, (error, summary) => (error ? failed(error) : done(summary.run.failures.length)));
});

const survivors = [];
let tried = 0;
for (const op of all) {
  const [folder] = op.operation.tags;
  fault = { op };
  good = null;
  assert.equal(await run(folder), 0, `${folder} passes without a fault`);
  const kinds = faults(op, good);
  for (const made of kinds) {
    fault = { op, ...made };
    tried += 1;
    if ((await run(folder)) === 0) survivors.push(`${op.id}: ${made.kind}`);
  }
}
proxy.close();
const caught = tried - survivors.length;
console.log(`${caught} of ${tried} faults are noticed (${((100 * caught) / tried).toFixed(1)} %)`);
for (const survivor of survivors) console.log(`survives: ${survivor}`);
process.exit(caught / tried >= CAUGHT ? 0 : 1);
