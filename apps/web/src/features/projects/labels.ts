import type { Project, ProjectDetail } from '@voisol/contract/projects'
import { number } from '../../lib/format.ts'
import type { Tone } from '../../ui/badge.tsx'

export type Status = Project['status']

export const STATUSES: Record<Status, { label: string; tone: Tone; color: string }> = {
  prospect: { label: 'Prospect', tone: 'neutral', color: '#64748B' },
  study: { label: 'Étude', tone: 'info', color: '#0066E7' },
  agreement: { label: 'Conventionnement', tone: 'warning', color: '#D97706' },
  running: { label: 'En service', tone: 'success', color: '#15803D' },
  abandoned: { label: 'Abandonné', tone: 'neutral', color: '#94A3B8' },
}
export const STATUS_ORDER: Status[] = ['prospect', 'study', 'agreement', 'running', 'abandoned']

export const KINDS: Record<Project['kind'], string> = {
  coownership: 'Copropriété',
  district: 'Quartier',
  industrial: 'Site d’activité',
  authority: 'Collectivité',
  other: 'Autre',
}
export const PEOPLE = { person: 'Particulier', organisation: 'Organisation' } as const

export const SEASONS = { winter: 'Hiver', spring: 'Printemps', summer: 'Été', autumn: 'Automne' } as const

const WINDS = ['nord', 'nord-est', 'est', 'sud-est', 'sud', 'sud-ouest', 'ouest', 'nord-ouest']
/** « sud-est, 135° ». */
export const orientation = (azimuth: number) => `${WINDS[Math.round(azimuth / 45) % 8]}, ${azimuth}°`

export const kwc = (watts: number) => `${number(watts / 1000, watts % 1000 === 0 ? 0 : 1)}\u00a0kWc`
export const years = (value: number) => `${number(value, 1)}\u00a0an${value < 2 ? '' : 's'}`

export const placeText = ({ address, postalCode, city }: Pick<ProjectDetail, 'address' | 'postalCode' | 'city'>) =>
  [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')
