import type { Day, Period } from '../calendar/days.ts'

/** Why a month cannot be closed. All issues are listed together; the server words them in French. */
export type MonthIssue =
  | { code: 'badMonth'; month: string }
  | { code: 'badResolution'; resolutionWh: number }
  | { code: 'badSpan'; what: MonthInputPart; id: string }
  | { code: 'badFigure'; what: MonthInputPart; id: string; field: string }
  | { code: 'repeatedId'; what: MonthInputPart; id: string }
  | { code: 'unknownReference'; what: MonthInputPart; id: string; field: string; target: string }
  | { code: 'overlappingVersions'; what: MonthInputPart; id: string; from: Day }
  | { code: 'holdersOverlap'; prm: string; members: [string, string] }
  | { code: 'tiedRules'; from: Day; rules: [string, string] }
  | { code: 'rowBeyondMonth'; prm: string; class: string; from: Day; to: Day }
  | { code: 'noProducer'; prm: string }
  | { code: 'noRule'; member: string; producer: string; class: string; day: Day }
  | { code: 'indexNotPublished'; rule: string; day: Day }
  | { code: 'noAcciseClass'; member: string }
  | { code: 'noAcciseRate'; class: string; day: Day }
  | { code: 'noKva'; member: string; fee: string }
  | { code: 'noVatMode'; seller: string; day: Day }

export type MonthInputPart =
  | 'seller'
  | 'producer'
  | 'member'
  | 'cells'
  | 'distributor'
  | 'tariff'
  | 'rule'
  | 'fee'
  | 'discount'
  | 'accise'

/** What does not block a closing, and is shown before it. */
export type MonthNotice =
  | { code: 'partlyCovered'; prm: string }
  | { code: 'provisional'; prm: string }
  /**
   * The row of the distributor matched none of our energies: 2 the other classes of the point were used, 3 the other
   * members, 4 equal parts.
   */
  | ({ code: 'spreadLevel'; level: 2 | 3 | 4; prm: string; class: string; wh: number } & Period)
  | ({ code: 'rowOutsideMembership'; prm: string; class: string; wh: number } & Period)
  | { code: 'energyOutsideMembership'; member: string; wattMinutes: number }
  | { code: 'lastIndexAccepted'; rule: string; day: Day }
  | { code: 'vatCollectedElsewhere'; seller: string }
