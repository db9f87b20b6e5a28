const OBJECT_PATHS: Record<string, (id: string) => string> = {
  operations: (id) => `/acc-operations/${id}`,
  projects: (id) => `/projects/${id}`,
  invoices: (id) => `/invoice/${id}`,
  sync_tasks: (id) => `/enedis-api/sync-tasks/${id}`,
  distributor_files: () => '/enedis-data',
  enedis_credentials: () => '/enedis-api',
  users: () => '/admin/users',
  roles: () => '/admin/users',
  api_keys: () => '/admin/api-keys',
  webhooks: () => '/admin/webhooks',
  sso_connections: () => '/admin/sso',
  company_copies: () => '/admin/backups',
  copy_runs: () => '/admin/backups',
  health_alerts: () => '/admin/system-health',
  incidents: () => '/admin/system-health?onglet=incidents',
  contents: () => '/cms-admin',
  bookings: () => '/admin/bookings',
  requests: () => '/admin/bookings',
  participants: () => '/participants',
  insights: () => '/ai-insights',
}

/** Where an object of the journal is looked at; undefined where it has no screen. */
export const getObjectPath = (kind: string, id: string): string | undefined => OBJECT_PATHS[kind]?.(id)
export const OBJECT_KINDS = Object.keys(OBJECT_PATHS)
