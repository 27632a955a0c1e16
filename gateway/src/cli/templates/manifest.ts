import { type Template, titleOf } from './template.ts';

/** A provider manifest in one file: two operations of a service that does not exist. */
export const manifestTemplate: Template = (name) => ({
  [`${name}.yaml`]: `# yaml-language-server: $schema=https://unpkg.com/toolcrib/schemas/manifest.schema.json
provider: ${name}
displayName: ${titleOf(name)}
category: api
baseUrl: https://api.${name}.example/v1
apiVersion: v1
auth: { type: bearer }

operations:
  - id: list_items
    method: GET
    path: /items
    access: read
    description: Lists the items, newest first. Use get_item for one of them with all its fields.
    params:
      limit: { type: integer, minimum: 1, maximum: 100, description: Items of one page. }
    responseHints: [id, name, created_at]
    limits: { timeoutSeconds: 20 }

  - id: get_item
    method: GET
    path: /items/{id}
    access: read
    description: Reads one item with all its fields.
    params:
      id: { type: string, required: true, description: Id of the item as list_items gives it. }
    cost: { usd: 0, typicalMs: 200 }
    budget: { calls: 10000 }

  - id: create_item
    method: POST
    path: /items
    access: write
    description: Creates an item and answers with it. A second call creates a second one.
    body:
      name: { type: string, required: true, maxLength: 200, description: What people will call it. }
    budget: { calls: 100 }
`,
});
