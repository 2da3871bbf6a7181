/** The OpenAPI 3.1 document of the platform's endpoints and of the sandbox's control surface. */
import type { CheckRules } from '../../../src/platform/requests/checks.ts';
import { CONTROL_FAULT, controlPaths } from './control-paths.ts';
import { platformPaths, platformSchemas } from './platform-paths.ts';

const ABOUT = [
  'The service interface of the payment platform, and with the sandbox the control surface beside it.',
  'Requirement numbers (DIV-01) and open questions (U42) are explained in docs/requirements.md.',
  'bizData is JSON as text: contentSchema says what it holds.',
  'What depends on sums, spans of days, balances and other requests no schema says.',
].join('\n');

/** @param rules.controls whether the control surface is part of it */
export function openApiDocument(rules: Pick<CheckRules, 'profile'> & { controls: boolean }): object {
  const checked: CheckRules = { profile: rules.profile, channelCode: undefined, isPlatformLocal: true };
  return {
    openapi: '3.1.1',
    info: {
      title: 'Virtual registry accounts',
      version: '1.0',
      description: ABOUT,
      license: { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' },
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: '/', description: 'where this document is served' }],
    security: [],
    tags: [
      { name: 'platform', description: 'the 17 endpoints of the platform' },
      ...(rules.controls
        ? [{ name: 'control', description: 'what is done to the sandbox beside the service' }]
        : []),
    ],
    paths: { ...platformPaths(), ...(rules.controls && controlPaths()) },
    components: {
      schemas: { ...platformSchemas(checked), ...(rules.controls && { ControlFault: CONTROL_FAULT }) },
    },
  };
}
