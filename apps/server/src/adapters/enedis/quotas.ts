/** What the distributor allows one client. */
export const QUOTAS = { second: 5, hour: 10_000 } as const
