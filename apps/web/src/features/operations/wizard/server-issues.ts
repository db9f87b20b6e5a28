import type { RowSource } from './body.ts'
import type { WizardProblem } from './check.ts'

type IssueSources = { sources: RowSource[]; shareSources: RowSource[] }

const POSITION_FIELDS = { latitude: 'position', longitude: 'position' }
const FORM_FIELDS: Record<string, string> = { ...POSITION_FIELDS, unitPrice: 'price', key: 'method' }
const ROW_FIELDS: Record<string, string> = {
  ...POSITION_FIELDS,
  prm: 'prm',
  email: 'email',
  peakWatts: 'kwc',
  subscribedVa: 'kva',
  azimuth: 'azimuth',
  tilt: 'tilt',
  segment: 'segment',
  kind: 'kind',
  name: 'name',
  firstName: 'name',
  lastName: 'name',
}
/** What a file said beyond the fields of a row stands at its name, and is named. */
const HIDDEN_FIELD_LABELS: Record<string, string> = {
  siren: 'SIREN',
  phone: 'Téléphone',
  address: 'Adresse',
  postalCode: 'Code postal',
  city: 'Ville',
  notes: 'Notes',
  label: 'Libellé du point',
  pointAddress: 'Adresse du point',
  commissionedOn: 'Mise en service',
  startsOn: 'Date d’entrée',
  endsOn: 'Date de sortie',
  agreementSignedOn: 'Accord signé le',
}

/** The field of the wizard that a path of the body was made from. */
export function getWizardField(path: string, { sources, shareSources }: IssueSources): string {
  const [, part, at, field] = /^(participants|key\.shares)\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
  const source = (part === 'participants' ? sources : shareSources)[Number(at)]
  if (!source) return FORM_FIELDS[path] ?? path
  const name = part === 'participants' ? (ROW_FIELDS[field ?? ''] ?? 'name') : field === 'rank' ? 'rank' : 'share'
  return `${source.list}.${source.index}.${name}`
}

const withFieldLabel = (path: string, message: string) => {
  const fieldLabel = HIDDEN_FIELD_LABELS[/^participants\.\d+\.(\w+)$/.exec(path)?.[1] ?? '']
  return fieldLabel ? `${fieldLabel}\u00a0: ${message}` : message
}

/** What belongs to no field of the wizard is told on top. */
export const toWizardProblems = (issues: WizardProblem[], sources: IssueSources): WizardProblem[] =>
  issues.map(({ path, message }) => ({
    path: getWizardField(path, sources) || 'root.server',
    message: withFieldLabel(path, message),
  }))

const STEP_PATTERNS: [RegExp, number][] = [
  [/^(name|accNumber|startsOn|endsOn|description)$/, 0],
  [/^pmo/, 1],
  [/^(address|postalCode|city|position|perimeter|zone|capacity)$/, 2],
  [/^producers/, 3],
  [/^consumers\.\d+\.(share|rank)$/, 5],
  [/^consumers/, 4],
  [/^method$/, 5],
  [/^(price|vatMode|surplusBuyer)$/, 6],
]
/** What belongs to no field is said at the end, where the wizard is sent from. */
export const getWizardStep = (path: string) => STEP_PATTERNS.find(([pattern]) => pattern.test(path))?.[1] ?? 7
