import type { DistributorFile } from '@voisol/contract/distributor-files'
import type {
  EnedisBackend,
  EnedisCredential,
  EnedisEnvironment,
  EnedisFault,
  SeriesType,
} from '@voisol/contract/enedis'
import type { DifferenceCause, Verdict } from '@voisol/contract/reconciliation'
import type { SyncKind, SyncStatus, SyncTask, SyncWindow } from '@voisol/contract/sync'
import type { Tone } from '../components/badge.tsx'

type StatusLabel = { label: string; tone: Tone }

export const ENVIRONMENT_LABELS: Record<EnedisEnvironment, StatusLabel & { meaning: string }> = {
  local: {
    label: 'Bac à sable local',
    tone: 'neutral',
    meaning: 'Un distributeur simulé, livré avec le produit\u00a0: rien ne sort de cette installation.',
  },
  sandbox: { label: 'Bac à sable Enedis', tone: 'info', meaning: 'L’environnement d’essai du distributeur.' },
  production: { label: 'Production', tone: 'success', meaning: 'Les vraies données de vos participants.' },
}

export const BACKEND_LABELS: Record<EnedisBackend, string> = {
  'dataconnect-v2': 'DataConnect, version\u00a02',
  'dataconnect-v1': 'DataConnect, version\u00a01',
  holder: 'Espace du titulaire',
}

export const CIRCUIT_LABELS: Record<EnedisCredential['circuit'], StatusLabel & { meaning: string }> = {
  closed: { label: 'Appels ouverts', tone: 'success', meaning: 'Le distributeur répond.' },
  'half-open': {
    label: 'Appel d’essai',
    tone: 'warning',
    meaning: 'Un seul appel est tenté avant de reprendre les autres.',
  },
  open: {
    label: 'Appels suspendus',
    tone: 'danger',
    meaning: 'Trop d’échecs de suite\u00a0: les appels reprennent d’eux-mêmes un peu plus tard.',
  },
}

export const SYNC_STATUS_LABELS: Record<SyncStatus, StatusLabel> = {
  waiting: { label: 'En attente', tone: 'neutral' },
  running: { label: 'En cours', tone: 'info' },
  succeeded: { label: 'Réussie', tone: 'success' },
  partial: { label: 'Partielle', tone: 'warning' },
  failed: { label: 'Échouée', tone: 'danger' },
  cancelled: { label: 'Abandonnée', tone: 'neutral' },
}

export const SYNC_KIND_LABELS: Record<SyncKind, { label: string; meaning: string }> = {
  'load-curve': { label: 'Courbes de charge', meaning: 'La puissance de chaque point, pas à pas.' },
  'daily-energy': { label: 'Énergies quotidiennes', meaning: 'Un total par point et par jour, tiré des index.' },
  'agreement-series': {
    label: 'Séries de la convention',
    meaning: 'Ce que le distributeur a réparti, point par point, avant les quantités définitives.',
  },
  definitive: {
    label: 'Quantités définitives',
    meaning: 'Ce que le distributeur retient pour un mois terminé\u00a0; la base de la facturation.',
  },
  perimeter: { label: 'Périmètre', meaning: 'Les points de la convention et leurs dates, et la durée des accès.' },
}

export const SYNC_TRIGGER_LABELS: Record<SyncTask['trigger'], string> = {
  schedule: 'Chaque jour',
  weekly: 'Chaque semaine',
  manual: 'À la demande',
  backfill: 'Reprise d’historique',
  gap: 'Jours manquants',
  explorer: 'Depuis l’explorateur',
}

export const WINDOW_STATUS_LABELS: Record<SyncWindow['status'], StatusLabel> = {
  waiting: { label: 'En attente', tone: 'neutral' },
  running: { label: 'En cours', tone: 'info' },
  done: { label: 'Reçu', tone: 'success' },
  failed: { label: 'Échoué', tone: 'danger' },
  skipped: { label: 'Déjà demandé', tone: 'neutral' },
}

export const FAULT_NATURE_LABELS: Record<EnedisFault['nature'], StatusLabel> = {
  quota: { label: 'Quota', tone: 'warning' },
  auth: { label: 'Identifiants', tone: 'danger' },
  consent: { label: 'Accord', tone: 'danger' },
  'no-data': { label: 'Pas de données', tone: 'neutral' },
  request: { label: 'Demande refusée', tone: 'warning' },
  transient: { label: 'Panne passagère', tone: 'neutral' },
  answer: { label: 'Réponse écartée', tone: 'warning' },
}

export const SERIES_TYPE_LABELS: Record<SeriesType, string> = {
  cons: 'Consommation',
  prod: 'Production',
  autocons: 'Autoconsommation',
  surplus: 'Surplus',
  complement: 'Complément du réseau',
}

export const VERDICT_LABELS: Record<Verdict, StatusLabel> = {
  agreed: { label: 'Conforme', tone: 'success' },
  explained: { label: 'Écarts expliqués', tone: 'info' },
  different: { label: 'Écarts à examiner', tone: 'danger' },
  'nothing-to-compare': { label: 'Rien à comparer', tone: 'neutral' },
}

export const DIFFERENCE_CAUSE_LABELS: Record<DifferenceCause, StatusLabel & { meaning: string }> = {
  equal: { label: 'Identique', tone: 'success', meaning: 'Les deux chiffres sont les mêmes.' },
  rounding: {
    label: 'Arrondi',
    tone: 'success',
    meaning: 'L’écart tient dans les arrondis\u00a0: le watt à chaque pas, le kilowattheure par classe.',
  },
  'missing-data': {
    label: 'Données manquantes',
    tone: 'info',
    meaning: 'Des relevés manquent d’un côté\u00a0: demandez-les de nouveau, puis refaites le calcul.',
  },
  'key-version': {
    label: 'Version de la clé',
    tone: 'info',
    meaning: 'Le distributeur applique une autre version de la clé\u00a0: comparez les dates d’effet.',
  },
  'membership-dates': {
    label: 'Dates de participation',
    tone: 'info',
    meaning: 'Les dates d’entrée ou de sortie diffèrent entre ici et la convention.',
  },
  'swapped-members': {
    label: 'Membres intervertis',
    tone: 'warning',
    meaning: 'Le distributeur lui donne le chiffre d’un autre membre, et le sien à un autre\u00a0: signalez-le-lui.',
  },
  'shifted-day': {
    label: 'Jour décalé',
    tone: 'warning',
    meaning: 'Le distributeur donne à un jour le chiffre de la veille ou du lendemain\u00a0: signalez-le-lui.',
  },
  'missing-class': {
    label: 'Classe absente',
    tone: 'warning',
    meaning:
      'Les autres classes s’accordent, mais le distributeur n’en donne pas une\u00a0: demandez-lui un rectificatif.',
  },
  unexplained: {
    label: 'Inexpliqué',
    tone: 'danger',
    meaning: 'Aucune cause connue ne l’explique\u00a0: ouvrez les jours du point pour l’examiner.',
  },
}

export const FILE_STATUS_LABELS: Record<DistributorFile['status'], StatusLabel> = {
  waiting: { label: 'En attente', tone: 'neutral' },
  decoded: { label: 'Lu', tone: 'success' },
  quarantined: { label: 'Mis à l’écart', tone: 'danger' },
}

export const FILE_SOURCE_LABELS: Record<DistributorFile['source'], string> = {
  upload: 'Déposé à la main',
  folder: 'Dossier surveillé',
  api: 'Reçu par l’API',
}
