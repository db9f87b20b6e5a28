export type JoinCandidate = { id: string; consumption: ArrayLike<number> }
/**
 * In the unit of the curves: what the community uses more, what the candidate receives, and what members lose (default
 * key).
 */
export type CandidateGain = { id: string; more: number; candidate: number; dilution: number }

/**
 * The candidates ranked by use of the surplus: Δ = Σmin(P, C + c) − Σmin(P, C), for every key that shares all it can.
 * `dilution` is what members would receive less under the default key. Steps with an unknown value are left out for
 * all.
 */
export function rankCandidates(
  production: ArrayLike<number>,
  consumption: ArrayLike<number>,
  candidates: JoinCandidate[],
): CandidateGain[] {
  return candidates
    .map((candidate) => computeCandidateGain(production, consumption, candidate))
    .sort((a, b) => b.more - a.more)
}

function computeCandidateGain(
  production: ArrayLike<number>,
  consumption: ArrayLike<number>,
  candidate: JoinCandidate,
): CandidateGain {
  let [more, own] = [0, 0]
  for (let at = 0; at < production.length; at++) {
    const [made, used, extra] = [production[at] ?? -1, consumption[at] ?? -1, candidate.consumption[at] ?? -1]
    if (!(made >= 0 && used >= 0 && extra >= 0)) continue
    const shared = Math.min(made, used + extra)
    more += shared - Math.min(made, used)
    own += used + extra > 0 ? (shared * extra) / (used + extra) : 0
  }
  return { id: candidate.id, more, candidate: own, dilution: own - more }
}
