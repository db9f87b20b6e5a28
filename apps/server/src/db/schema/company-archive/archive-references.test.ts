import { SETTING_DEFINITIONS } from '@voisol/contract/dated-settings'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import * as schema from '../index.ts'
import { COMPANY_ARCHIVE, isIgnored, isReference, isSealedIban } from './company-archive.ts'

type SchemaNode = z.ZodType & {
  _zod: {
    def: {
      type: string
      shape?: Record<string, SchemaNode>
      element?: SchemaNode
      keyType?: SchemaNode
      valueType?: SchemaNode
      catchall?: SchemaNode
      innerType?: SchemaNode
      in?: SchemaNode
      options?: SchemaNode[]
      items?: SchemaNode[]
    }
  }
}
const ANY_ID = '5b0c1d1e-7a3f-4c59-9f0a-2d1c8e4b6a71'
const LEAVES = ['string', 'number', 'int', 'boolean', 'enum', 'literal', 'null', 'unknown', 'any', 'never']

/** Every place inside a value that takes an id, be it as an id, as a text or as anything at all. */
function listIdPlaces(contract: z.core.$ZodType, path: string): string[] {
  const node = contract as SchemaNode // every one has a definition
  const { type, shape, element, keyType, valueType, catchall, innerType, in: before, options, items } = node._zod.def
  if (LEAVES.includes(type)) return node.safeParse(ANY_ID).success ? [path] : []
  const parts = [innerType, before, ...(options ?? [])].flatMap((one) => (one ? listIdPlaces(one, path) : []))
  const listed = [element, keyType, valueType, catchall, ...(items ?? [])].flatMap((one) =>
    one ? listIdPlaces(one, `${path}.*`) : [],
  )
  const fields = Object.entries(shape ?? {}).flatMap(([name, one]) => listIdPlaces(one, `${path}.${name}`))
  if (!shape && !element && !valueType && !items && !innerType && !before && !options)
    throw new Error(`${path}: what a ${type} may hold is not known here`)
  return [...new Set([...parts, ...listed, ...fields])]
}

const getColumns = (kind: (sqlType: string) => boolean) =>
  Object.values(schema)
    .filter((table) => is(table, PgTable))
    .map((table) => getTableConfig(table))
    .flatMap(({ name, columns }) =>
      columns
        .filter((column) => kind(column.getSQLType()))
        .flatMap((column) => {
          const declared = COMPANY_ARCHIVE[name]?.columns[column.name]
          return declared && !isIgnored(declared) ? [{ table: name, name: column.name, declared }] : []
        }),
    )

/** Texts inside values that would take an id as they take any words: nothing is looked up by them. */
const WORDS = [
  'allocation_runs.sign_off.by',
  'allocation_runs.sign_off.missing.*',
  'allocation_runs.sign_off.reason',
  'book_profiles.profile.columns.*.header',
  'book_settings.journals.bank.label',
  'book_settings.journals.misc.label',
  'book_settings.journals.opening.label',
  'book_settings.journals.sales.label',
  'buyers.joint_holders.*',
  'dated_settings.value',
  'dated_settings.value.*.class',
  'lot_spreads.lots.*.holder',
  'mandates.proof.hash',
  'mandates.proof.ip',
  'mandates.proof.name',
  'mandates.proof.text',
  'mandates.proof.userAgent',
  'mandates.proof.witness',
  'participants.tags.*',
  'report_templates.blocks.*.text',
  'report_templates.blocks.*.title',
  'supplier_bills.detail.sentences.*',
  'tariffs.rules.*.id',
  'tariffs.rules.*.label',
]
/** Read past: it is not written. */
const READ_PAST = ['allocation_runs.sign_off.userId']

test('every place inside a value that takes an id is either held against the archive or said to be words', () => {
  const found = getColumns((type) => type === 'jsonb' || type.endsWith('[]')).flatMap(({ table, name, declared }) => {
    if (isReference(declared) || isSealedIban(declared)) return []
    const contracts =
      table === 'dated_settings' ? Object.values(SETTING_DEFINITIONS).map(({ value }) => value) : [declared]
    return contracts.flatMap((contract) => listIdPlaces(contract, `${table}.${name}`))
  })
  const declaredPlaces = Object.entries(COMPANY_ARCHIVE).flatMap(([table, { idsInValues = {} }]) =>
    Object.keys(idsInValues).map((path) => `${table}.${path}`),
  )
  expect([...new Set(found)].sort()).toEqual([...declaredPlaces, ...WORDS, ...READ_PAST].sort())
})

test('a value that gains an id, a text or anything at all shows where it stands', () => {
  const value = z.array(
    z.strictObject({ kind: z.enum(['a']), price: z.int(), of: z.strictObject({ id: z.uuid().optional() }) }),
  )
  expect(listIdPlaces(value, 'table.value')).toEqual(['table.value.*.of.id'])
  expect(listIdPlaces(z.record(z.string(), z.unknown()), 'table.value')).toEqual(['table.value.*'])
  expect(listIdPlaces(z.looseObject({ price: z.int() }), 'table.value')).toEqual(['table.value.*'])
  expect(() => listIdPlaces(z.date(), 'table.value')).toThrow(/date/)
})

test('every column of ids refers to a table, but the row’s own and that of a document’s owner', () => {
  const others = getColumns((type) => type === 'uuid').filter(
    ({ name, declared }) => name !== 'id' && !isReference(declared),
  )
  expect(others.map(({ table, name }) => `${table}.${name}`)).toEqual(['documents.owner_id'])
})
