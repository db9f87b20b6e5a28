/** Calls that the distributor allows a client. */
export const ENEDIS_QUOTAS = { second: 5, hour: 10_000 } as const
