/** A validator that also looks into JSON that is text (ENV-26), as `contentSchema` says it. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

export type Schemas = Readonly<Record<string, unknown>>;

/** What is wrong with a value, a line each. */
export type FaultsBy = (schema: unknown, value: unknown) => string[];

/** @param components what `#/components/schemas/NAME` leads to */
export function faultsWith(components: Schemas = {}): FaultsBy {
  const ajv = new Ajv2020({ allErrors: true, strict: false, formats: fullFormats });
  ajv.removeKeyword('contentSchema');
  ajv.addKeyword({
    keyword: 'contentSchema',
    schemaType: 'object',
    compile: (inner: object) => {
      // Compiled when it is first needed: components may lead to each other.
      let validate: ValidateFunction | undefined;
      const check = (text: unknown): boolean => {
        if (typeof text !== 'string') return true;
        validate ??= ajv.compile(inner);
        const isRight = validate(JSON.parse(text));
        Object.assign(check, { errors: validate.errors });
        return isRight;
      };
      return check;
    },
    errors: true,
  });
  ajv.addSchema({ $id: 'urn:recon:components', components: { schemas: absolute(components) } });
  const compiled = new Map<unknown, ValidateFunction>();
  return (schema, value) => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(schema) as object);
    compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message = '', params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** References that hold wherever the schema stands. */
function absolute(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/components/', '"urn:recon:components#/components/'),
  );
}
