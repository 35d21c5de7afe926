// The checks that all requests of this collection share. Each request's script passes the expected responses
// and its own `pm`, because assertions on the `pm` of another script are lost. Schemas are JSON Schema draft-07.
contract = {
  schemas: SCHEMAS,

  // Resolves a reference to a schema.
  resolve(schema) {
    if (!schema || !schema.$ref) return schema;
    const key = schema.$ref.slice('#/definitions/'.length);
    return contract.schemas[key.replace(/~1/g, '/').replace(/~0/g, '~')];
  },

  // All schemas that describe the same value as this one, each once, because schemas may be recursive.
  parts(schema, found = new Set()) {
    if (!schema || typeof schema !== 'object' || found.has(schema)) return [...found];
    found.add(schema);
    const inner = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] || []);
    const further = ['then', 'else'].map((keyword) => schema[keyword]);
    const named = schema.$ref ? [contract.resolve(schema)] : [];
    for (const part of [...named, ...inner, ...further]) contract.parts(part, found);
    return [...found];
  },

  // The locations of properties that no schema documents.
  undeclared(value, schema, at = '') {
    const parts = contract.parts(schema);
    if (Array.isArray(value)) {
      const items = parts.map((part) => part.items).filter((items) => items && !Array.isArray(items));
      return value.flatMap((item, index) => items.flatMap((s) => contract.undeclared(item, s, `${at}/${index}`)));
    }
    if (value === null || typeof value !== 'object') return [];
    const described = parts.some((part) => part.properties);
    const open = parts.some((part) => part.patternProperties || (part.additionalProperties ?? false) !== false);
    return Object.entries(value).flatMap(([name, property]) => {
      const location = `${at}/${name}`;
      const named = parts.filter((part) => part.properties && name in part.properties);
      if (named.length === 0) return described && !open ? [location] : [];
      const inside = named.map((part) => contract.undeclared(property, part.properties[name], location));
      return inside.reduce((least, found) => (found.length < least.length ? found : least));
    });
  },

  // Visits every value in this one, with all schemas that describe it and its location.
  each(value, schemas, visit, at = '') {
    const parts = [...new Set(schemas.flatMap((schema) => contract.parts(schema)))];
    visit(value, parts, at);
    if (value === null || typeof value !== 'object') return;
    for (const [name, property] of Object.entries(value)) {
      const inside = Array.isArray(value)
        ? parts.map((part) => part.items).filter((items) => items && !Array.isArray(items))
        : parts.flatMap((part) => (part.properties && name in part.properties ? [part.properties[name]] : []));
      if (inside.length > 0) contract.each(property, inside, visit, `${at}/${name}`);
    }
  },

  // Compares two items of a list: positive if the first must come after the second.
  compare(one, other, keys) {
    for (const { by, descending, numeric } of keys) {
      const [a, b] = [one, other].map((item) => contract.at(item, by)).map((it) => (numeric ? Number(it) : it));
      if (a !== b) return (a < b ? -1 : 1) * (descending ? -1 : 1);
    }
    return 0;
  },

  // The items of lists that are out of order or duplicate.
  misplaced(value, schema) {
    const found = [];
    contract.each(value, [schema], (list, parts, at) => {
      if (!Array.isArray(list)) return;
      const keys = parts.flatMap((part) => part['x-order'] || []);
      const pointers = parts.flatMap((part) => part['x-unique'] || []);
      const names = list.map((item) => JSON.stringify(pointers.map((pointer) => contract.at(item, pointer))));
      list.forEach((item, index) => {
        if (index > 0 && contract.compare(list[index - 1], item, keys) > 0) found.push(`${at}/${index} is out of order`);
        if (pointers.length > 0 && names.indexOf(names[index]) < index) found.push(`${at}/${index} is a duplicate`);
      });
    });
    return found;
  },

  // Validates the value of a header.
  header(pm, sent, schema) {
    const types = contract.parts(schema).flatMap((part) => part.type || []);
    const numeric = types.some((type) => type === 'integer' || type === 'number');
    const boolean = types.includes('boolean') && /^(true|false)$/.test(sent);
    const value = (numeric && /^-?[0-9.]+$/.test(sent)) || boolean ? JSON.parse(sent) : sent;
    pm.expect(value).to.have.jsonSchema({ ...schema, definitions: contract.schemas });
  },

  body(pm, name, value, schema) {
    pm.test(`the body is ${name}`, () => {
      pm.expect(value).to.have.jsonSchema({ ...schema, definitions: contract.schemas });
    });
    pm.test('the body has no undocumented properties', () => {
      pm.expect(contract.undeclared(value, schema), 'properties').to.eql([]);
    });
    pm.test('lists are in the documented order', () => {
      pm.expect(contract.misplaced(value, schema), 'items').to.eql([]);
    });
  },

  xml(pm, text) {
    pm.test('the body is well-formed XML', () => {
      require('xml2js').parseString(text, { async: false }, (error) => pm.expect(error).to.equal(null));
    });
  },

  // Checks the response. `responses` has the expectations by status.
  check(pm, responses) {
    const statuses = Object.keys(responses);
    const expected = responses[pm.response.code];
    pm.test(`the status is ${statuses.join(' or ')}`, () => {
      pm.expect(statuses).to.include(String(pm.response.code));
    });
    if (!expected) return;
    const sent = pm.response.headers.get('Content-Type') || '';
    const essence = sent.split(';')[0].trim().toLowerCase();
    const bodies = Object.keys(expected.bodies || {});
    pm.test(bodies.length ? `the media type is ${bodies.join(' or ')}` : 'there is no body', () => {
      if (bodies.length) pm.expect(bodies).to.include(essence);
      else pm.expect(pm.response.text()).to.equal('');
    });
    for (const [name, header] of Object.entries(expected.headers || {})) {
      const text = pm.response.headers.get(name);
      if (text === undefined && !header.required) continue;
      pm.test(`the header ${name} is as documented`, () => {
        pm.expect(text, name).to.be.a('string');
        contract.header(pm, text, header.schema);
      });
    }
    const body = (expected.bodies || {})[essence];
    if (body && body.schema && /json$/.test(essence)) contract.body(pm, body.name, pm.response.json(), body.schema);
    if (body && /xml$/.test(essence)) contract.xml(pm, pm.response.text());
    for (const keyword of (body && body.unchecked) || []) pm.test.skip(`not checked: ${keyword}`, () => {});
  },

  // The value at a JSON Pointer; undefined if there is none.
  at(value, pointer) {
    const steps = pointer.split('/').slice(1).map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    return steps.reduce((inner, step) => (inner === null || inner === undefined ? undefined : inner[step]), value);
  },

  // Stores a value of the response for later requests.
  store(pm, variable, pointer) {
    if (pm.response.code >= 300) return;
    const value = contract.at(pm.response.json(), pointer);
    pm.test(`the response has ${pointer} for later requests`, () => pm.expect(value).to.exist);
    pm.collectionVariables.set(variable, String(value));
  },

  // The items of a page: its only list.
  items(page) {
    return Object.values(page).find(Array.isArray) || [];
  },

  // Reads the list again in one large page and in two smaller ones, which must have the same items.
  pages(pm, { cursor, limit, most, next }) {
    if (pm.response.code !== 200) return;
    const read = (query, then) => {
      const url = pm.request.url.toString().split('?')[0];
      const others = pm.request.url.query.all().filter((row) => !row.disabled && row.key !== cursor && row.key !== limit);
      const pairs = others.map((row) => [row.key, pm.variables.replaceIn(row.value)]).concat(Object.entries(query));
      const text = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
      const header = pm.request.headers.all().filter((row) => !row.disabled).map(({ key, value }) => ({ key, value }));
      pm.sendRequest({ url: `${url}?${text}`, method: 'GET', header }, (error, response) => {
        pm.test('another page can be read', () => {
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
          pm.test('the next page has other items', () => {
            pm.expect(fresh).to.not.be.empty;
            pm.expect(fresh).to.have.lengthOf(contract.items(further).length);
          });
        });
      }
      read({ [limit]: half }, (first) => {
        if (key(first) === null) {
          pm.test('one page has the whole list', () => pm.expect(contract.items(first)).to.eql(all));
          return;
        }
        read({ [limit]: Math.max(1, all.length - half), [cursor]: key(first) }, (second) => {
          pm.test('two pages have the same items as one, in the same order', () => {
            pm.expect(contract.items(first).concat(contract.items(second))).to.eql(all);
          });
          if (key(whole) !== null) return;
          pm.test('the last page has no next page', () => pm.expect(key(second)).to.equal(null));
        });
      });
    });
  },
};
