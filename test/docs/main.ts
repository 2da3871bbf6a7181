/** `npm run docs`: writes the tables of docs/ anew from the code. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readDocuments, ROOT } from './documents.ts';

for (const { path, text, asItShouldBe } of readDocuments()) {
  if (text === asItShouldBe) continue;
  writeFileSync(join(ROOT, path), asItShouldBe);
  console.log(`${path} is written anew`);
}
