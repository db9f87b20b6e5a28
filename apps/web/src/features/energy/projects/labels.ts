import type { Project } from '@voisol/contract/projects'
import { dayOf } from '@voisol/energy/calendar'
import type { Tone } from '../../../components/badge.tsx'
import { formatNumber } from '../../../lib/format.ts'

export type ProjectStatus = Project['status']

export const PROJECT_STATUS_LABELS: Record<ProjectStatus, { label: string; tone: Tone; color: string }> = {
  prospect: { label: 'Prospect', tone: 'neutral', color: '#64748B' },
  study: { label: 'Étude', tone: 'info', color: '#0066E7' },
  agreement: { label: 'Conventionnement', tone: 'warning', color: '#D97706' },
  running: { label: 'En service', tone: 'success', color: '#15803D' },
  abandoned: { label: 'Abandonné', tone: 'neutral', color: '#94A3B8' },
}

export const PROJECT_KIND_LABELS: Record<Project['kind'], string> = {
  coownership: 'Copropriété',
  district: 'Quartier',
  industrial: 'Site d’activité',
  authority: 'Collectivité',
  other: 'Autre',
}
export const CANDIDATE_KIND_LABELS = { person: 'Particulier', organisation: 'Organisation' } as const

export const SEASON_LABELS = { winter: 'Hiver', spring: 'Printemps', summer: 'Été', autumn: 'Automne' } as const

const COMPASS_POINTS = ['nord', 'nord-est', 'est', 'sud-est', 'sud', 'sud-ouest', 'ouest', 'nord-ouest']
/** « sud-est, 135° ». */
export const formatOrientation = (azimuth: number) => `${COMPASS_POINTS[Math.round(azimuth / 45) % 8]}, ${azimuth}°`

export const formatKwc = (watts: number) => `${formatNumber(watts / 1000, watts % 1000 === 0 ? 0 : 1)}\u00a0kWc`
export const formatYears = (value: number) => `${formatNumber(value, 1)}\u00a0an${value < 2 ? '' : 's'}`

/** The local day in Paris. */
export const getTodayInParis = () => dayOf(Math.floor(Date.now() / 60_000))
