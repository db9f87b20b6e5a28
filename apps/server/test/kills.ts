/** How often a suite kills what it looks at: as often as `npm run soak` says, or twenty times where everything runs. */
export const getKillCount = (few: number): number => Number(process.env.SOAK_KILLS ?? (process.env.TEST_ALL ? 20 : few))
