/** What the distributor allows one client. */
export const ENEDIS_QUOTAS = { second: 5, hour: 10_000 } as const
