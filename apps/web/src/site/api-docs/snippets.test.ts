import type { DocEndpoint } from '@voisol/contract/api-docs'
import { expect, test } from 'vitest'
import { snippet } from './snippets.ts'

const endpoint: DocEndpoint = {
  id: 'operations.create',
  tab: 'operations',
  method: 'POST',
  path: '/api/acc-operations',
  summary: 'Créer une opération',
  access: 'admin',
  fields: [],
  example: {
    path: '/api/acc-operations',
    body: '{\n  "name": "L’école",\n  "open": true,\n  "note": null\n}',
    status: 200,
    response: '{}',
  },
  errors: [],
  tryable: false,
}
const ORIGIN = 'https://voisol.fr'

test('JavaScript carries the token and the body', () => {
  const code = snippet('javascript', endpoint, ORIGIN)
  expect(code).toContain("fetch('https://voisol.fr/api/acc-operations', {")
  expect(code).toContain("method: 'POST'")
  expect(code).toContain("'Bearer ' + token")
  expect(code).toContain('"open": true')
})

test('Python writes its own words for true and null', () => {
  const code = snippet('python', endpoint, ORIGIN)
  expect(code).toContain('requests.post(')
  expect(code).toContain('"open": True')
  expect(code).toContain('"note": None')
})

test('cURL can be pasted into a shell', () => {
  const quoted = { ...endpoint, example: { ...endpoint.example, body: `{"name": "L'école"}` } }
  expect(snippet('curl', quoted, ORIGIN)).toContain(`-d '{"name": "L'\\''école"}'`)
  const read = { ...endpoint, method: 'GET', access: 'public', example: { ...endpoint.example, body: null } }
  expect(snippet('curl', read, ORIGIN)).toBe("curl 'https://voisol.fr/api/acc-operations'")
})
