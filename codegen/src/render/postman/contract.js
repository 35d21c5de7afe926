// The checks that every request of this collection shares. The scripts of the requests say what is
// expected of their answers, and hand in their own `pm`: what another script's keeps is lost. Schemas
// are in the words of draft-07, which is what runs here.
contract = {
  schemas: SCHEMAS,

  // The schema that a reference names; any other as it is.
  resolve(schema) {
    if (!schema || !schema.$ref) return schema;
    const key = schema.$ref.slice('#/definitions/'.length);
    return contract.schemas[key.replace(/~1/g, '/').replace(/~0/g, '~')];
  },

  // Every schema that describes the same value as this one, each once: some lead back to themselves.
  parts(schema, found = new Set()) {
    if (!schema || typeof schema !== 'object' || found.has(schema)) return [...found];
    found.add(schema);
    const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] || []);
    const further = ['then', 'else'].map((keyword) => schema[keyword]);
    const named = schema.$ref ? [contract.resolve(schema)] : [];
    for (const part of [...named, ...inner, ...further]) contract.parts(part, found);
    return [...found];
  },

  // The places of members that no schema names.
  undeclared(value, schema, at = '') {
    const parts = contract.parts(schema);
    if (Array.isArray(value)) {
      const items = parts.map((part) => part.items).filter((items) => items && !Array.isArray(items));
      return value.flatMap((item, index) => items.flatMap((s) => contract.undeclared(item, s, `${at}/${index}`)));
    }
    if (value === null || typeof value !== 'object') return [];
    const described = parts.some((part) => part.properties);
    const open = parts.some((part) => part.patternProperties || (part.additionalProperties ?? false) !== false);
    return Object.entries(value).flatMap(([name, member]) => {
      const place = `${at}/${name}`;
      const named = parts.filter((part) => part.properties && name in part.properties);
      if (named.length === 0) return described && !open ? [place] : [];
      const inside = named.map((part) => contract.undeclared(member, part.properties[name], place));
      return inside.reduce((least, found) => (found.length < least.length ? found : least));
    });
  },

  // Whether the text of a header fits its schema.
  header(pm, text, schema) {
    const types = contract.parts(schema).flatMap((part) => part.type || []);
    const numeric = types.some((type) => type === 'integer' || type === 'number');
    const boolean = types.includes('boolean') && /^(true|false)$/.test(text);
    const value = (numeric && /^-?[0-9.]+$/.test(text)) || boolean ? JSON.parse(text) : text;
    pm.expect(value).to.have.jsonSchema({ ...schema, definitions: contract.schemas });
  },

  body(pm, name, value, schema) {
    pm.test(`the body is ${name}`, () => {
      pm.expect(value).to.have.jsonSchema({ ...schema, definitions: contract.schemas });
    });
    pm.test('the body holds nothing that the contract does not name', () => {
      pm.expect(contract.undeclared(value, schema), 'members').to.eql([]);
    });
  },

  // Checks the answer. `answers` holds what is expected by status.
  check(pm, answers) {
    const statuses = Object.keys(answers);
    const answer = answers[pm.response.code];
    pm.test(`the status is ${statuses.join(' or ')}`, () => {
      pm.expect(statuses).to.include(String(pm.response.code));
    });
    if (!answer) return;
    const sent = pm.response.headers.get('Content-Type') || '';
    const essence = sent.split(';')[0].trim().toLowerCase();
    const bodies = Object.keys(answer.bodies || {});
    pm.test(bodies.length ? `the media type is ${bodies.join(' or ')}` : 'there is no body', () => {
      if (bodies.length) pm.expect(bodies).to.include(essence);
      else pm.expect(pm.response.text()).to.equal('');
    });
    for (const [name, header] of Object.entries(answer.headers || {})) {
      const text = pm.response.headers.get(name);
      if (text === undefined && !header.required) continue;
      pm.test(`the header ${name} is as described`, () => {
        pm.expect(text, name).to.be.a('string');
        contract.header(pm, text, header.schema);
      });
    }
    const body = (answer.bodies || {})[essence];
    if (body && body.schema && /json$/.test(essence)) contract.body(pm, body.name, pm.response.json(), body.schema);
    for (const keyword of (body && body.unsaid) || []) pm.test.skip(`not asserted: ${keyword}`, () => {});
  },

  // The value at a JSON Pointer; undefined if there is none.
  at(value, pointer) {
    const steps = pointer.split('/').slice(1).map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    return steps.reduce((inner, step) => (inner === null || inner === undefined ? undefined : inner[step]), value);
  },

  // Keeps a part of the answer for a later request.
  keep(pm, variable, pointer) {
    if (pm.response.code >= 300) return;
    const value = contract.at(pm.response.json(), pointer);
    pm.test(`the answer has ${pointer} for later requests`, () => pm.expect(value).to.exist);
    pm.collectionVariables.set(variable, String(value));
  },

  // The items of a page: the only list among its members.
  items(page) {
    return Object.values(page).find(Array.isArray) || [];
  },

  // Reads the list again in two smaller pages: both together must be what one page holds.
  pages(pm, { cursor, limit, next }) {
    if (pm.response.code !== 200) return;
    const read = (query, then) => {
      const url = pm.request.url.toString().split('?')[0];
      const others = pm.request.url.query.all().filter((row) => !row.disabled && row.key !== cursor && row.key !== limit);
      const pairs = others.map((row) => [row.key, pm.variables.replaceIn(row.value)]).concat(Object.entries(query));
      const text = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
      const header = pm.request.headers.all().filter((row) => !row.disabled).map(({ key, value }) => ({ key, value }));
      pm.sendRequest({ url: `${url}?${text}`, method: 'GET', header }, (error, response) => {
        pm.test('a further page is answered', () => {
          pm.expect(error).to.equal(null);
          pm.expect(response.code).to.equal(200);
        });
        if (!error && response.code === 200) then(response.json());
      });
    };
    read({ [limit]: 4 }, (whole) => {
      const all = contract.items(whole);
      const half = Math.max(1, Math.floor(all.length / 2));
      read({ [limit]: half }, (first) => {
        const key = contract.at(first, next);
        if (key === null || key === undefined) {
          pm.test('one page holds the whole list', () => pm.expect(contract.items(first)).to.eql(all));
          return;
        }
        read({ [limit]: Math.max(1, all.length - half), [cursor]: key }, (second) => {
          pm.test('two pages hold what one does, in the same order', () => {
            pm.expect(contract.items(first).concat(contract.items(second)).slice(0, all.length)).to.eql(all);
          });
        });
      });
    });
  },
};
