import type { HealthLevel, HealthUnit } from '@voisol/contract/health'
import type { z } from 'zod'

/** By default a higher value is worse; with `falling` a lower one is. A metric without thresholds is only displayed. */
type Metric = {
  label: string
  group: string
  unit: z.infer<typeof HealthUnit>
  warning?: number
  critical?: number
  falling?: true
  advice: string
}

/** The metrics with their thresholds and the remedy beyond them. */
export const METRICS = {
  'database.size': { label: 'Taille de la base', group: 'Base de données', unit: 'bytes', advice: '' },
  'database.connections': {
    label: 'Connexions occupées',
    group: 'Base de données',
    unit: 'share',
    warning: 0.7,
    critical: 0.9,
    advice: 'Diminuez DATABASE_POOL, ou augmentez max_connections de PostgreSQL.',
  },
  'database.slow': {
    label: 'Requêtes de plus de 30 s',
    group: 'Base de données',
    unit: 'count',
    warning: 3,
    critical: 10,
    advice: 'Regardez pg_stat_activity\u00a0: une tâche lourde ou un verrou retient les autres.',
  },
  'queue.late': {
    label: 'Tâches en retard',
    group: 'File de tâches',
    unit: 'count',
    warning: 1,
    critical: 50,
    advice: 'Vérifiez qu’un processus ROLE=worker (ou all) tourne\u00a0; ajoutez-en un si la file ne se vide pas.',
  },
  'queue.failed': {
    label: 'Tâches abandonnées en un jour',
    group: 'File de tâches',
    unit: 'count',
    warning: 5,
    critical: 50,
    advice: 'Lisez leur raison dans le journal du serveur, corrigez-en la cause, puis relancez-les.',
  },
  'mail.failed': {
    label: 'E-mails non partis en un jour',
    group: 'Messagerie',
    unit: 'count',
    warning: 1,
    critical: 20,
    advice: 'Vérifiez SMTP_URL et le compte d’envoi\u00a0: «\u00a0voisol doctor\u00a0» essaie la connexion.',
  },
  'mail.waiting': {
    label: 'E-mails qui attendent depuis plus d’une heure',
    group: 'Messagerie',
    unit: 'count',
    warning: 1,
    critical: 100,
    advice:
      'Le serveur d’e-mail ne répond pas\u00a0: vérifiez SMTP_URL («\u00a0voisol doctor\u00a0» essaie la connexion). Ils sont gardés trois jours et partiront d’eux-mêmes.',
  },
  'process.memory': {
    label: 'Mémoire du processus',
    group: 'Machine',
    unit: 'share',
    warning: 0.7,
    critical: 0.9,
    advice: 'Redémarrez le processus, baissez COMPUTE_MEMORY_MB, ou donnez plus de mémoire à la machine.',
  },
  'process.loop': {
    label: 'Attente de la boucle (p99)',
    group: 'Machine',
    unit: 'ms',
    warning: 250,
    critical: 2000,
    advice: 'Le processeur est saturé\u00a0: ajoutez un processus, ou séparez ROLE=web et ROLE=worker.',
  },
  'disk.free': {
    label: 'Place libre sur le disque',
    group: 'Machine',
    unit: 'share',
    warning: 0.15,
    critical: 0.05,
    falling: true,
    advice: 'Libérez de la place, agrandissez le disque de DATA_DIR, ou gardez moins de copies.',
  },
  'sync.lag': {
    label: 'Dernières courbes reçues',
    group: 'Distributeur',
    unit: 'hours',
    warning: 48,
    critical: 120,
    advice: 'Ouvrez le journal du distributeur\u00a0: un accès refusé ou une pause arrête les courbes.',
  },
  'certificate.left': {
    label: 'Certificat du site',
    group: 'Site',
    unit: 'days',
    warning: 21,
    critical: 7,
    falling: true,
    advice: 'Renouvelez le certificat de PUBLIC_URL, et vérifiez que son renouvellement automatique tourne.',
  },
  'copy.age': {
    label: 'Dernière copie',
    group: 'Copies',
    unit: 'hours',
    warning: 30,
    critical: 72,
    advice: 'Ouvrez les copies\u00a0: la raison du dernier échec y est, et une copie peut être lancée.',
  },
  'copy.key': {
    label: 'Clé de chiffrement des copies absente',
    group: 'Copies',
    unit: 'count',
    warning: 1,
    critical: 2,
    advice:
      'Donnez BACKUP_KEY au serveur (openssl rand -base64 32), et gardez-la ailleurs avec SECRET_KEY\u00a0: sans elle aucune copie n’est faite.',
  },
  'drill.age': {
    label: 'Dernier essai de restauration',
    group: 'Copies',
    unit: 'days',
    warning: 10,
    critical: 30,
    advice: 'Lancez un essai de restauration depuis l’écran des copies.',
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS
export const findMetric = (name: string): Metric | undefined =>
  Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : undefined // looked for just before

/** The level of a value; an unmeasured value has none. */
export function getHealthLevel({ warning, critical, falling }: Metric, value: number | null): HealthLevel {
  if (value === null || warning === undefined || critical === undefined) return 'ok'
  const isBeyond = (limit: number) => (falling ? value <= limit : value >= limit)
  if (isBeyond(critical)) return 'critical'
  return isBeyond(warning) ? 'warning' : 'ok'
}
