// Runs requests of the collection for each line that comes in, `{ "items": ids, "rows": variables }`: once
// for each row, and prints a line, the rows in which a check or script failed. No ids are all
// requests.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { readFileSync } from 'node:fs';

const newman = createRequire(`${process.env.NODE_MODULES}/`)('newman');
const collection = JSON.parse(readFileSync(process.env.COLLECTION, 'utf8'));
const requests = collection.item.flatMap(({ item }) => item);

const run = ({ items, rows }) => new Promise((done, failed) => {
  const item = requests.filter(({ id }) => items.length === 0 || items.includes(id));
  const options = { collection: { ...collection, item }, iterationData: rows, reporters: [] };
  newman.run(options, (error, summary) => {
    if (error) failed(error);
    else done([...new Set(summary.run.failures.map(({ cursor }) => cursor.iteration))]);
  });
});

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await run(JSON.parse(line))));
}
