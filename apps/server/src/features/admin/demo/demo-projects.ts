import type { ProjectDraft, ProjectStep } from '@voisol/contract/projects'
import { addDays } from '@voisol/energy/calendar'
import type { ConsumptionProfile } from '@voisol/energy/model/profiles'
import {
  type Coordinates,
  createNeighbour,
  MONTPLAISIR_ID,
  pickBetween,
  placeNear,
} from '@voisol/simulator/demo/identities'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { projectNotes, projects } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { buildUsualSteps, changeProjectStatus, createProject, studyProject } from '../../energy/projects/index.ts'

const toAfternoon = (day: string) => new Date(`${day}T14:20:00Z`)

/** Due dates count from the start of the project; completed steps were done around their due date. */
function buildSteps({ age, done, moves }: ProjectPlan, anchor: string) {
  const steps = buildUsualSteps(addDays(anchor, -age), null)
  const over = moves.includes('abandoned')
  return steps.flatMap(({ title, dueOn }, n): z.output<typeof ProjectStep>[] => {
    if (n < done) return [{ title, dueOn, doneOn: dueOn < anchor ? addDays(dueOn, -3) : addDays(anchor, -2) }]
    return over ? [] : [{ title, dueOn, doneOn: null }]
  })
}

type BuildDeps = Pick<Deps, 'db' | 'compute'>

async function buildProject(deps: BuildDeps, actor: Actor, plan: ProjectPlan, anchor: string) {
  const { db: tx } = deps
  const { companyId } = actor
  const { id, version } = await createProject(tx, actor, { ...plan.draft, steps: buildSteps(plan, anchor) })
  for (const [n, status] of plan.moves.entries())
    await changeProjectStatus(tx, actor, id, { status, version: version + n })
  if (plan.studied) await studyProject(deps, actor, id)
  await tx
    .update(projects)
    .set({
      createdAt: toAfternoon(addDays(anchor, -plan.age)),
      ...(plan.operationId && { operationId: plan.operationId, status: 'running' }),
    })
    .where(and(eq(projects.companyId, companyId), eq(projects.id, id)))
  const author = `${actor.firstName} ${actor.lastName}`
  const notes = plan.notes.map(([ago, text]) => ({
    companyId,
    projectId: id,
    text,
    author,
    createdAt: toAfternoon(addDays(anchor, -ago)),
  }))
  if (notes.length) await tx.insert(projectNotes).values(notes)
}

export async function buildProjects(deps: BuildDeps, actor: Actor, anchor: string): Promise<void> {
  for (const plan of DEMO_PROJECTS) await buildProject(deps, actor, plan, anchor)
}

type ProjectInput = z.output<typeof ProjectDraft>
type Candidate = NonNullable<ProjectInput['candidates']>[number]

type ProjectPlan = {
  draft: ProjectInput
  /** Successive states of the project. */
  moves: ('study' | 'agreement' | 'abandoned')[]
  studied: boolean
  /** Days since it began, and number of completed standard steps. */
  age: number
  done: number
  notes: [daysAgo: number, text: string][]
  /** The operation that the project became. */
  operationId?: string
}

const buildHomes = (
  place: Coordinates,
  seed: string,
  first: number,
  count: number,
  profiles: ConsumptionProfile[],
): Candidate[] =>
  Array.from({ length: count }, (_, n) => {
    const ref = `${seed} ${n}`
    const { firstName, lastName, email } = createNeighbour(first + n)
    const profile = profiles[n % profiles.length] ?? 'household'
    const yearlyKwh = profile === 'household' ? pickBetween(1800, 3600, ref) : pickBetween(5000, 8000, ref)
    const who = { name: `${firstName} ${lastName}`, email, kind: 'person' as const, prm: '', pointId: null }
    return { ...who, profile, yearlyKwh, ...placeNear(place, ref, 300) }
  })

const buildSite = (place: Coordinates, name: string, profile: ConsumptionProfile, yearlyKwh: number): Candidate => ({
  name,
  email: '',
  kind: 'organisation' as const,
  prm: '',
  profile,
  yearlyKwh,
  pointId: null,
  ...placeNear(place, name, 300),
})
const buildRoof = (place: Coordinates, building: string, kwc: number, azimuth: number, tilt: number) => ({
  building,
  peakWatts: kwc * 1000,
  azimuth,
  tilt,
  ...placeNear(place, building, 200),
})

const ORMES = { latitude: 45.77114, longitude: 4.88942 }
const WEST = { latitude: 45.82091, longitude: 4.75033 }
const HILL = { latitude: 45.70912, longitude: 4.74283 }
const OULLINS = { latitude: 45.71423, longitude: 4.80764 }
const FARM = { latitude: 45.85047, longitude: 4.79261 }
const ARTISANS = { latitude: 45.74498, longitude: 4.87021 }

const DEMO_PROJECTS: ProjectPlan[] = [
  {
    draft: {
      name: 'Copropriété Les Ormes',
      kind: 'coownership',
      perimeter: 'building',
      method: 'default',
      description: 'Trois immeubles de 1974 dont l’étanchéité vient d’être refaite.',
      address: '8 rue des Ormes',
      postalCode: '69100',
      city: 'Villeurbanne',
      ...ORMES,
      localPrice: 1290,
      gridPrice: 2016,
      surplusPrice: 400,
      investmentPerKwc: 108_000,
      yearlyCosts: 90_000,
      roofs: [buildRoof(ORMES, 'Bâtiment A', 27, 175, 12), buildRoof(ORMES, 'Bâtiment C', 15, 195, 12)],
      candidates: [
        ...buildHomes(ORMES, 'ormes', 180, 26, ['household', 'household', 'household-electric-heating']),
        buildSite(ORMES, 'Parties communes', 'common-parts', 21_000),
      ],
    },
    moves: ['study', 'agreement'],
    studied: true,
    age: 190,
    done: 5,
    notes: [
      [12, 'Vote favorable en assemblée générale\u00a0: 71\u00a0% des tantièmes.'],
      [
        61,
        'L’architecte confirme la charge admissible du bâtiment A\u00a0; le bâtiment B est exclu à cause de l’ascenseur.',
      ],
    ],
  },
  {
    draft: {
      name: 'Parc d’activité des Monts',
      kind: 'industrial',
      perimeter: 'extended',
      method: 'default',
      description: 'Quatre entreprises autour d’un même transformateur.',
      address: '3 chemin du Jubin',
      postalCode: '69570',
      city: 'Dardilly',
      ...WEST,
      localPrice: 1080,
      gridPrice: 1720,
      surplusPrice: 760,
      investmentPerKwc: 96_000,
      yearlyCosts: 540_000,
      roofs: [buildRoof(WEST, 'Hangar nord', 210, 180, 10), buildRoof(WEST, 'Ombrière', 90, 160, 7)],
      candidates: [
        buildSite(WEST, 'Plasturgie Lacombe', 'workshop', 410_000),
        buildSite(WEST, 'Traiteur Oliva', 'restaurant', 68_000),
        buildSite(WEST, 'Surgelés Brunel', 'cold-store', 290_000),
        buildSite(WEST, 'Cabinet Horizon', 'office', 47_000),
      ],
    },
    moves: ['study'],
    studied: true,
    age: 74,
    done: 2,
    notes: [[9, 'Le gestionnaire de réseau annonce une capacité d’accueil suffisante au poste source.']],
  },
  {
    draft: {
      name: 'Cœur d’Oullins',
      kind: 'district',
      perimeter: 'extended',
      method: 'priority',
      description: 'Groupe scolaire, commerces et logements de la rue commerçante.',
      address: '40 Grande Rue',
      postalCode: '69600',
      city: 'Oullins-Pierre-Bénite',
      ...OULLINS,
      localPrice: 1220,
      gridPrice: 2016,
      surplusPrice: 400,
      investmentPerKwc: 112_000,
      yearlyCosts: 320_000,
      roofs: [buildRoof(OULLINS, 'École Jean-Macé', 80, 180, 15), buildRoof(OULLINS, 'Marché couvert', 45, 200, 10)],
      candidates: [
        buildSite(OULLINS, 'École Jean-Macé', 'school', 84_000),
        buildSite(OULLINS, 'Boulangerie Marguin', 'bakery', 42_000),
        buildSite(OULLINS, 'Épicerie du Marché', 'shop', 58_000),
        ...buildHomes(OULLINS, 'oullins', 210, 32, ['household', 'household', 'heat-pump', 'household']),
      ],
    },
    moves: ['study'],
    studied: true,
    age: 48,
    done: 2,
    notes: [[20, 'Réunion publique le mois prochain\u00a0: préparer l’affiche et les bulletins d’intérêt.']],
  },
  {
    draft: {
      name: 'Mairie et salle des fêtes',
      kind: 'authority',
      perimeter: 'periurban',
      description: 'La commune veut partager le toit de la salle des fêtes avec ses bâtiments et quelques habitants.',
      address: '1 place de la Mairie',
      postalCode: '69630',
      city: 'Chaponost',
      ...HILL,
      roofs: [buildRoof(HILL, 'Salle des fêtes', 60, 185, 20)],
      candidates: [buildSite(HILL, 'Mairie', 'office', 36_000), buildSite(HILL, 'École maternelle', 'school', 41_000)],
    },
    moves: [],
    studied: false,
    age: 9,
    done: 0,
    notes: [[3, 'Premier échange avec l’adjointe aux travaux\u00a0: les factures arrivent la semaine prochaine.']],
  },
  {
    draft: {
      name: 'Halle Montplaisir',
      kind: 'district',
      perimeter: 'extended',
      method: 'default',
      description: 'Le toit de la halle et neuf logements de la rue des Artisans.',
      address: '2 rue des Artisans',
      postalCode: '69008',
      city: 'Lyon',
      ...ARTISANS,
      localPrice: 1300,
      gridPrice: 2016,
      surplusPrice: 400,
      investmentPerKwc: 121_000,
      yearlyCosts: 40_000,
      roofs: [buildRoof(ARTISANS, 'Halle', 18, 180, 15)],
      candidates: [
        ...buildHomes(ARTISANS, 'montplaisir', 150, 9, ['household']),
        buildSite(ARTISANS, 'Halle Montplaisir', 'shop', 26_000),
      ],
    },
    moves: ['study', 'agreement'],
    studied: true,
    age: 230,
    done: 7,
    operationId: MONTPLAISIR_ID,
    notes: [[30, 'Convention signée\u00a0: l’opération est créée, son numéro est attendu.']],
  },
  {
    draft: {
      name: 'Ferme des Chênes',
      kind: 'other',
      perimeter: 'rural',
      description: 'Toit d’une stabulation, à partager avec le hameau voisin.',
      address: 'route des Crêtes',
      postalCode: '69650',
      city: 'Saint-Germain-au-Mont-d’Or',
      ...FARM,
      roofs: [buildRoof(FARM, 'Stabulation', 100, 178, 17)],
      candidates: buildHomes(FARM, 'ferme', 260, 7, ['heat-pump', 'household']),
    },
    moves: ['abandoned'],
    studied: false,
    age: 240,
    done: 2,
    notes: [[150, 'Raccordement chiffré à 84\u00a0000\u00a0€\u00a0: le projet est arrêté.']],
  },
]
