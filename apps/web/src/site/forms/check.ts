export type FieldSpec = {
  name: string
  label: string
  type?: 'text' | 'email' | 'tel' | 'textarea' | 'select' | 'checkbox'
  autoComplete?: string
  optional?: boolean
  hint?: string
  options?: { value: string; label: string }[]
  minLength?: number
  maxLength?: number
}
export type Values = Record<string, string | boolean>

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/
const PHONE = /^[+\d][\d\s().-]{5,}$/

/** The fault of one field, told as the server tells it. */
export function faultOf(field: FieldSpec, value: string | boolean | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (text === '') return field.optional ? undefined : 'Ce champ est obligatoire.'
  if (field.type === 'email' && !EMAIL.test(text)) return 'Adresse e-mail attendue, par exemple nom@exemple.fr.'
  if (field.type === 'tel' && !PHONE.test(text)) return 'Numéro attendu, par exemple 06 12 34 56 78.'
  if (field.minLength && text.length < field.minLength)
    return `Quelques mots de plus\u00a0: ${field.minLength} caractères au moins.`
  if (field.maxLength && text.length > field.maxLength) return `Au plus ${field.maxLength} caractères.`
  return undefined
}

export function faultsOf(fields: readonly FieldSpec[], values: Values): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultOf(field, values[field.name])
      return fault ? [[field.name, fault]] : []
    }),
  )
}
