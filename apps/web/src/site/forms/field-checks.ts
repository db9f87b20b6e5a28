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
export type FieldValues = Record<string, string | boolean>

const EMAIL_PATTERN = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/
const PHONE_PATTERN = /^[+\d][\d\s().-]{5,}$/

/** The fault of one field, told as the server tells it. */
export function getFieldError(field: FieldSpec, value: string | boolean | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (text === '') return field.optional ? undefined : 'Ce champ est obligatoire.'
  if (field.type === 'email' && !EMAIL_PATTERN.test(text)) return 'Adresse e-mail attendue, par exemple nom@exemple.fr.'
  if (field.type === 'tel' && !PHONE_PATTERN.test(text)) return 'Numéro attendu, par exemple 06 12 34 56 78.'
  if (field.minLength && text.length < field.minLength)
    return `Quelques mots de plus\u00a0: ${field.minLength} caractères au moins.`
  if (field.maxLength && text.length > field.maxLength) return `Au plus ${field.maxLength} caractères.`
  return undefined
}

export function getFieldErrors(fields: readonly FieldSpec[], values: FieldValues): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = getFieldError(field, values[field.name])
      return fault ? [[field.name, fault]] : []
    }),
  )
}

/** Who asks, in every form of the site. */
export const PERSON_FIELDS: readonly FieldSpec[] = [
  { name: 'firstName', label: 'Prénom', autoComplete: 'given-name', maxLength: 200 },
  { name: 'lastName', label: 'Nom', autoComplete: 'family-name', maxLength: 200 },
  { name: 'email', label: 'Adresse e-mail', type: 'email', autoComplete: 'email', maxLength: 254 },
  { name: 'company', label: 'Organisation', autoComplete: 'organization', optional: true, maxLength: 200 },
]
