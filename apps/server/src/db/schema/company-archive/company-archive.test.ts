import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { DIRECTORY } from '../directory.ts'
import * as schema from '../index.ts'
import { COMPANY_ARCHIVE, declaredTables, findExclusion, ISSUED, importOrder, isReference } from './company-archive.ts'

const TENANT_TABLES = Object.values(schema)
  .filter((table) => is(table, PgTable))
  .map((table) => getTableConfig(table))
  .map(({ name, columns }) => ({ name, columns: columns.map((column) => column.name) }))
  .filter(({ columns }) => columns.includes('company_id'))

test('every table of a company is either imported column by column or said never to be', () => {
  expect(declaredTables().sort()).toEqual(TENANT_TABLES.map(({ name }) => name).sort())
})

test.each(Object.entries(COMPANY_ARCHIVE))(
  '%s says of each of its columns what an archive may bring',
  (name, table) => {
    const columns = TENANT_TABLES.find((one) => one.name === name)?.columns ?? []
    expect(['company_id', ...Object.keys(table.columns)].sort()).toEqual(columns.sort())
  },
)

test('no table of rights, secrets, subscription, site or single sign-on is imported', () => {
  const imported = [...Object.keys(COMPANY_ARCHIVE), ...Object.keys(ISSUED)]
  const forbidden =
    /^(subscription|roles|memberships|sessions|sso_|api_keys|key_calls|webhook|connection|enedis_cred|online_|portal_(holders|letters|views)|contents|content_|site_|seo_|redirects|white_labels|legal_|audit_|event|invoice_files|invoices$)/
  expect(imported.filter((name) => forbidden.test(name))).toEqual(['invoices'])
  expect(imported.filter((name) => name in DIRECTORY)).toEqual([])
  expect(importOrder()).not.toContain('invoices')
  expect(imported.filter(findExclusion)).toEqual([])
})

test('a row is written after the rows it refers to', () => {
  const order = importOrder()
  for (const [name, { columns, idsInValues = {}, after = [] }] of Object.entries(COMPANY_ARCHIVE)) {
    const targets = Object.values(columns).flatMap((column) => (isReference(column) ? [column.refersTo] : []))
    for (const target of [...targets, ...Object.values(idsInValues), ...after]) {
      expect(order).toContain(target)
      expect(order.indexOf(target)).toBeLessThan(order.indexOf(name))
    }
  }
})
