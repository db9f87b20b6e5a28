export { groupByWallClockHour, loadEnergyChartSeries, loadEnergySeries } from './energy-series.ts'
export { getPersonId, listComparableMembers, loadEnergySummary, MIN_ANONYMOUS_PEOPLE } from './energy-summary.ts'
export { type Co2Factors, loadEnergyTotals, loadEnergyTotalsByPeriod, splitEnergy, toWh } from './energy-totals.ts'
export { loadMemberRows } from './list-members.ts'
export { listMembersOfOperations, listReadableMembers, type Member, type MemberSelection } from './member-scope.ts'
export {
  listRunsInForceOfOperation,
  loadComparedMemberSums,
  loadMemberSumsByMonth,
  type MemberMonthSum,
  type PeriodParticipation,
} from './member-sums.ts'
export { loadTotalsByOperation } from './operation-rows.ts'
export { listRunsInForce, type Period, requirePeriod } from './periods.ts'
export { listProducerRows } from './plant-monitoring.ts'
