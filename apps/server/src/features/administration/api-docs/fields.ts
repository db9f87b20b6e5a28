import type { DocEndpoint } from '@voisol/contract/api-docs'
import type { Endpoint } from '@voisol/contract/endpoint'
import { z } from 'zod'
import { describe } from './descriptions.ts'

type Field = DocEndpoint['fields'][number]
type Schema = z.core.JSONSchema.JSONSchema & { prefixItems?: Schema[] }
type Word = { one: string; many: string }

const word = (one: string, many: string): Word => ({ one, many })
const FORMATS: Record<string, Word> = {
  uuid: word('identifiant', 'd’identifiants'),
  date: word('date', 'de dates'),
  'date-time': word('date et heure', 'de dates et heures'),
  email: word('adresse e-mail', 'd’adresses e-mail'),
  uri: word('adresse web', 'd’adresses web'),
}
const TYPES: Record<string, Word> = {
  string: word('texte', 'de textes'),
  integer: word('nombre entier', 'de nombres entiers'),
  number: word('nombre', 'de nombres'),
  boolean: word('booléen', 'de booléens'),
  object: word('objet', 'd’objets'),
}
const TEXT = word('texte', 'de textes')

const schemaOf = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {}) // a JSON Schema or `true`
const choicesOf = (schema: Schema): Schema[] => (schema.anyOf ?? schema.oneOf ?? []).map(schemaOf)
const isNull = ({ type }: Schema) => type === 'null'

/** A schema without its null, and whether it had one. */
function bare(schema: Schema): { schema: Schema; nullable: boolean } {
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter((one) => one !== 'null')
    return { schema: { ...schema, type } as Schema, nullable: schema.type.includes('null') } // one type is left
  }
  const choices = choicesOf(schema)
  if (!choices.length) return { schema, nullable: false }
  const real = choices.filter((choice) => !isNull(choice) && choice.const !== '')
  const nullable = choices.some(isNull)
  if (real.length === 1 && real[0]) return { schema: real[0], nullable }
  return { schema: { anyOf: real } as Schema, nullable }
}

const quoted = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ')

function wordOf(schema: Schema): Word {
  const choices = choicesOf(schema)
  const constants = choices.flatMap((choice) => (choice.const === undefined ? (choice.enum ?? []) : [choice.const]))
  if (constants.length === choices.length && constants.length) return word(quoted(constants), 'de valeurs')
  if (choices.length) {
    const names = [...new Set(choices.map((choice) => wordOf(choice).one))]
    return word(names.join(' ou '), 'de valeurs')
  }
  if (schema.const !== undefined) return word(quoted([schema.const]), 'de valeurs')
  if (schema.enum) return word(`texte\u00a0: ${schema.enum.join(', ')}`, `de textes\u00a0: ${schema.enum.join(', ')}`)
  if (schema.type === 'array') return word(`liste ${itemOf(schema).many}`, `de listes ${itemOf(schema).many}`)
  if (schema.format) return FORMATS[schema.format] ?? TEXT
  return TYPES[String(schema.type)] ?? TEXT
}

function itemOf(schema: Schema): Word {
  const { schema: item, nullable } = bare(schemaOf(schema.prefixItems?.[0] ?? schema.items))
  const { one, many } = wordOf(item)
  return nullable ? word(one, `${many} ou null`) : word(one, many)
}

export function typeName(schema: Schema): string {
  const { schema: real, nullable } = bare(schema)
  return `${wordOf(real).one}${nullable ? ' ou null' : ''}`
}

/** The object whose parts are listed under a field: its own, or those of its list. */
function partsOf(schema: Schema): { schema: Schema; mark: string } | undefined {
  const { schema: real } = bare(schema)
  if (real.type === 'object' && real.properties) return { schema: real, mark: '' }
  if (real.type !== 'array') return undefined
  const { schema: item } = bare(schemaOf(real.items))
  return item.type === 'object' ? { schema: item, mark: '[]' } : undefined
}

/** Which call a field belongs to, where in it, and under which field. */
type Where = { id: string; place: Field['place']; prefix: string }

function listFields(schema: Schema, { id, place, prefix }: Where): Field[] {
  const seen = new Map<string, string>()
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const part = schemaOf(value)
    const full = `${prefix}${name}`
    const inner = partsOf(part)
    const shape = inner ? JSON.stringify(inner.schema) : ''
    const twin = seen.get(shape)
    if (inner && twin === undefined) seen.set(shape, name)
    const usual =
      part.default === undefined || part.default === null ? '' : ` Par défaut\u00a0: ${JSON.stringify(part.default)}.`
    const field: Field = {
      name: full,
      place,
      type: typeName(part),
      required: place === 'path' || (schema.required ?? []).includes(name),
      description:
        (part.description ?? describe(id, place, full) ?? '') +
        usual +
        (twin === undefined ? '' : ` Mêmes champs que ${twin}.`),
    }
    if (!inner || twin !== undefined) return [field]
    return [field, ...listFields(inner.schema, { id, place, prefix: `${full}${inner.mark}.` })]
  })
}

function fieldsOfPart(id: string, schema: unknown, place: Field['place']): Field[] {
  if (!(schema instanceof z.ZodType)) return []
  const io = place === 'response' ? 'output' : 'input'
  return listFields(schemaOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' })), {
    id,
    place,
    prefix: '',
  })
}

/** Every field of a call, read from the schemas that check it. */
export const fieldsOf = (id: string, e: Endpoint): Field[] => [
  ...fieldsOfPart(id, e.params, 'path'),
  ...fieldsOfPart(id, e.query, 'query'),
  ...fieldsOfPart(id, e.body, 'body'),
  ...fieldsOfPart(id, e.response, 'response'),
]
