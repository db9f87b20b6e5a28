import { withDe } from '@voisol/contract/elision'
import { Candidate } from '@voisol/contract/projects'
import { CONSUMPTION_PROFILE_LABELS, type ConsumptionProfile } from '@voisol/energy/model/profiles'
import { toChoices } from '../../../lib/energy-labels.ts'
import { parsePosition } from '../../../lib/field-schemas.ts'
import { parseNumber } from '../../../lib/format.ts'
import type { CandidateLine } from './use-project.tsx'

export type PastedLine = { line: number; text: string; candidate: CandidateLine | null; message: string }

const normalizeText = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const PROFILE_OPTIONS = toChoices(CONSUMPTION_PROFILE_LABELS)
const HOME_PROFILES: ConsumptionProfile[] = ['household', 'household-electric-heating', 'heat-pump', 'ev-household']

/** By its French name, or the beginning of it; a home where nothing is said. */
export function findConsumptionProfile(text: string): ConsumptionProfile | undefined {
  const normalized = normalizeText(text)
  if (normalized === '') return 'household'
  const exact = PROFILE_OPTIONS.find(({ label, value }) => normalizeText(label) === normalized || value === text.trim())
  return (exact ?? PROFILE_OPTIONS.find(({ label }) => normalizeText(label).startsWith(normalized)))?.value
}

const splitCells = (line: string) => line.split(line.includes('\t') ? '\t' : ';').map((cell) => cell.trim())
const isHeading = (line: string) =>
  /^(nom|candidat)/.test(normalizeText(splitCells(line)[0] ?? '')) && parseNumber(splitCells(line)[2] ?? '') === null

function parseLine(text: string): { candidate: CandidateLine } | { message: string } {
  const [name = '', profileText = '', kwhText = '', prm = '', email = '', ...place] = splitCells(text)
  const profile = findConsumptionProfile(profileText)
  if (!profile) return { message: `Profil inconnu\u00a0: «\u00a0${profileText}\u00a0».` }
  const yearlyKwh = parseNumber(kwhText)
  if (yearlyKwh === null) return { message: 'Consommation annuelle attendue en kWh, en troisième colonne.' }
  const position = place.join(' ; ')
  const coordinates = position.replace(/[\s;]/g, '') ? parsePosition(position) : { latitude: null, longitude: null }
  if (!coordinates) return { message: 'Latitude et longitude attendues dans les deux dernières colonnes.' }
  const kind = HOME_PROFILES.includes(profile) ? 'person' : 'organisation'
  const parsed = Candidate.safeParse({
    name,
    email,
    kind,
    prm,
    profile,
    pointId: null,
    yearlyKwh: Math.round(yearlyKwh),
    ...coordinates,
  })
  if (parsed.success) return { candidate: parsed.data }
  const [issue] = parsed.error.issues
  return { message: issue?.path[0] === 'name' ? 'Le nom manque.' : (issue?.message ?? '') }
}

/** Lines as a spreadsheet gives them: name, profile, yearly kWh, PRM, e-mail, latitude, longitude. Known PRMs are refused. */
export function parsePastedCandidates(text: string, existing: CandidateLine[]): PastedLine[] {
  const nameByPrm = new Map(existing.flatMap(({ prm, name }) => (prm ? [[prm, name]] : [])))
  return text.split(/\r?\n/).flatMap((content, at): PastedLine[] => {
    if (content.trim() === '' || (at === 0 && isHeading(content))) return []
    const line = { line: at + 1, text: content }
    const result = parseLine(content)
    if ('message' in result) return [{ ...line, candidate: null, message: result.message }]
    const { prm, name } = result.candidate
    const holder = prm ? nameByPrm.get(prm) : undefined
    if (holder) return [{ ...line, candidate: null, message: `Ce PRM est déjà celui ${withDe(holder)}.` }]
    if (prm) nameByPrm.set(prm, name)
    return [{ ...line, candidate: result.candidate, message: '' }]
  })
}
