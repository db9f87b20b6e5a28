/** The number of kills of a suite: given by `npm run soak`, or twenty when all tests run. */
export const getKillCount = (few: number): number => Number(process.env.SOAK_KILLS ?? (process.env.TEST_ALL ? 20 : few))
