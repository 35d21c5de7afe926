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

  // Shows every value in this one, with its place and all schemas that describe it.
  each(value, schemas, show, at = '') {
    const parts = [...new Set(schemas.flatMap((schema) => contract.parts(schema)))];
    show(value, parts, at);
    if (value === null || typeof value !== 'object') return;
    for (const [name, member] of Object.entries(value)) {
      const inside = Array.isArray(value)
        ? parts.map((part) => part.items).filter((items) => items && !Array.isArray(items))
        : parts.flatMap((part) => (part.properties && name in part.properties ? [part.properties[name]] : []));
      if (inside.length > 0) contract.each(member, inside, show, `${at}/${name}`);
    }
  },

  // Above zero if one item of a list must stand after the other.
  compare(one, other, keys) {
    for (const { by, descending, numeric } of keys) {
      const [a, b] = [one, other].map((item) => contract.at(item, by)).map((it) => (numeric ? Number(it) : it));
      if (a !== b) return (a < b ? -1 : 1) * (descending ? -1 : 1);
    }
    return 0;
  },

  // What is wrong with the order of lists: items that stand before their turn, or twice.
  misplaced(value, schema) {
    const found = [];
    contract.each(value, [schema], (list, parts, at) => {
      if (!Array.isArray(list)) return;
      const keys = parts.flatMap((part) => part['x-order'] || []);
      const places = parts.flatMap((part) => part['x-unique'] || []);
      const names = list.map((item) => JSON.stringify(places.map((place) => contract.at(item, place))));
      list.forEach((item, index) => {
        if (index > 0 && contract.compare(list[index - 1], item, keys) > 0) found.push(`${at}/${index} stands too late`);
        if (places.length > 0 && names.indexOf(names[index]) < index) found.push(`${at}/${index} was there before`);
      });
    });
    return found;
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
    pm.test('lists are in the order that the contract says', () => {
      pm.expect(contract.misplaced(value, schema), 'items').to.eql([]);
    });
  },

  xml(pm, text) {
    pm.test('the body is well-formed XML', () => {
      require('xml2js').parseString(text, { async: false }, (error) => pm.expect(error).to.equal(null));
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
    if (body && /xml$/.test(essence)) contract.xml(pm, pm.response.text());
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

  // Reads the list again in one large page and in two smaller ones, which must hold the same.
  pages(pm, { cursor, limit, most, next }) {
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
    const key = (page) => contract.at(page, next) ?? null;
    read({ [limit]: most }, (whole) => {
      const all = contract.items(whole);
      const half = Math.max(1, Math.floor(all.length / 2));
      if (key(whole) !== null) {
        read({ [limit]: most, [cursor]: key(whole) }, (further) => {
          const known = new Set(all.map((item) => JSON.stringify(item)));
          const fresh = contract.items(further).filter((item) => !known.has(JSON.stringify(item)));
          pm.test('a page leads to others', () => {
            pm.expect(fresh).to.not.be.empty;
            pm.expect(fresh).to.have.lengthOf(contract.items(further).length);
          });
        });
      }
      read({ [limit]: half }, (first) => {
        if (key(first) === null) {
          pm.test('one page holds the whole list', () => pm.expect(contract.items(first)).to.eql(all));
          return;
        }
        read({ [limit]: Math.max(1, all.length - half), [cursor]: key(first) }, (second) => {
          pm.test('two pages hold what one does, in the same order', () => {
            pm.expect(contract.items(first).concat(contract.items(second))).to.eql(all);
          });
          if (key(whole) !== null) return;
          pm.test('the last page leads to no other', () => pm.expect(key(second)).to.equal(null));
        });
      });
    });
  },
};
