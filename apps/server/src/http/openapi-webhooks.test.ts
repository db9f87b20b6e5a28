import { WEBHOOK_EVENTS } from '@voisol/contract/webhooks'
import { expect, test } from 'vitest'
import { buildOpenApi } from './openapi.ts'

test('OpenAPI describes what webhooks send, beside what the API answers', () => {
  const { webhooks } = buildOpenApi(undefined)
  expect(Object.keys(webhooks)).toEqual(WEBHOOK_EVENTS)
  const { post } = webhooks['invoice.issued'] ?? {}
  expect(post?.summary).toBe('Facture émise')
  expect(post?.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
  const { example, schema } = post?.requestBody.content['application/json'] ?? {}
  expect(example).toMatchObject({ event: 'invoice.issued', data: { number: 'SOL2026-00042' } })
  expect(schema?.required).toEqual(['id', 'event', 'sequence', 'occurredAt', 'data'])
})
