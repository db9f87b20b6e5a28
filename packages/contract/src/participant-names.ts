type NameFields = {
  kind?: 'person' | 'organisation' | undefined
  name?: string | undefined
  firstName?: string | undefined
  lastName?: string | undefined
  siren?: string | undefined
}

/** Ignores accents, case and spaces. */
export const normalizeName = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')

/** Without a stated kind, a SIREN or a single name without first and last name means an organisation. */
export function getParticipantKind({ kind, name, firstName, lastName, siren }: NameFields): 'person' | 'organisation' {
  if (kind) return kind
  return !firstName && (siren || (name && !lastName)) ? 'organisation' : 'person'
}

/** Names as stored; `name` is what lists show, empty when nothing was given. */
export function normalizeNames(input: NameFields) {
  const kind = getParticipantKind(input)
  const { name = '', firstName = '', lastName = '', siren = '' } = input
  const whole = `${firstName} ${lastName}`.trim()
  if (kind === 'person')
    return { kind, name: whole || name, firstName, lastName: lastName || (whole ? '' : name), siren }
  return { kind, name: name || whole, ...(name ? { firstName, lastName } : { firstName: '', lastName: '' }), siren }
}

export const getMissingNameIssue = (kind: 'person' | 'organisation') =>
  kind === 'person'
    ? { field: 'lastName', message: 'Le nom est obligatoire, par exemple Camille Durand.' }
    : { field: 'name', message: 'Le nom de l’organisation est obligatoire.' }
