import { of } from '@voisol/contract/elision'
import { Candidate } from '@voisol/contract/projects'
import { PROFILE_LABELS, type Profile } from '@voisol/energy/model/profiles'
import { choices } from '../../lib/energy-labels.ts'
import { parseNumber } from '../../lib/format.ts'
import { parsePosition } from '../../lib/position.ts'
import type { CandidateLine } from './body.ts'

export type PastedLine = { line: number; text: string; candidate: CandidateLine | null; message: string }

const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

const PROFILES = choices(PROFILE_LABELS)
const HOMES: Profile[] = ['household', 'household-electric-heating', 'heat-pump', 'ev-household']

/** By its French name, or the beginning of it; a home where nothing is said. */
export function profileOf(text: string): Profile | undefined {
  const wanted = fold(text)
  if (wanted === '') return 'household'
  const exact = PROFILES.find(({ label, value }) => fold(label) === wanted || value === text.trim())
  return (exact ?? PROFILES.find(({ label }) => fold(label).startsWith(wanted)))?.value
}

const cellsOf = (line: string) => line.split(line.includes('\t') ? '\t' : ';').map((cell) => cell.trim())
const isHeading = (line: string) =>
  /^(nom|candidat)/.test(fold(cellsOf(line)[0] ?? '')) && parseNumber(cellsOf(line)[2] ?? '') === null

function read(text: string): { candidate: CandidateLine } | { message: string } {
  const [name = '', profileText = '', kwhText = '', prm = '', email = '', ...place] = cellsOf(text)
  const profile = profileOf(profileText)
  if (!profile) return { message: `Profil inconnu\u00a0: «\u00a0${profileText}\u00a0».` }
  const yearlyKwh = parseNumber(kwhText)
  if (yearlyKwh === null) return { message: 'Consommation annuelle attendue en kWh, en troisième colonne.' }
  const position = place.join(' ; ')
  const found = position.replace(/[\s;]/g, '') ? parsePosition(position) : { latitude: null, longitude: null }
  if (!found) return { message: 'Latitude et longitude attendues dans les deux dernières colonnes.' }
  const kind = HOMES.includes(profile) ? 'person' : 'organisation'
  const parsed = Candidate.safeParse({
    name,
    email,
    kind,
    prm,
    profile,
    pointId: null,
    yearlyKwh: Math.round(yearlyKwh),
    ...found,
  })
  if (parsed.success) return { candidate: parsed.data }
  const [issue] = parsed.error.issues
  return { message: issue?.path[0] === 'name' ? 'Le nom manque.' : (issue?.message ?? '') }
}

/** Lines as a spreadsheet gives them: name, profile, yearly kWh, PRM, e-mail, latitude, longitude. Known PRMs are refused. */
export function readPasted(text: string, known: CandidateLine[]): PastedLine[] {
  const taken = new Map(known.flatMap(({ prm, name }) => (prm ? [[prm, name]] : [])))
  return text.split(/\r?\n/).flatMap((content, at): PastedLine[] => {
    if (content.trim() === '' || (at === 0 && isHeading(content))) return []
    const line = { line: at + 1, text: content }
    const result = read(content)
    if ('message' in result) return [{ ...line, candidate: null, message: result.message }]
    const { prm, name } = result.candidate
    const holder = prm ? taken.get(prm) : undefined
    if (holder) return [{ ...line, candidate: null, message: `Ce PRM est déjà celui ${of(holder)}.` }]
    if (prm) taken.set(prm, name)
    return [{ ...line, candidate: result.candidate, message: '' }]
  })
}
