/** What is sold, to whom the site, the API and the screens refer alike: points included, and cents before tax. */
export const PLANS = {
  starter: { name: 'Starter', points: 50, month: 14_900, year: 160_900 },
  professional: { name: 'Professional', points: 200, month: 34_900, year: 376_900 },
  enterprise: { name: 'Enterprise', points: null, month: null, year: null },
} as const
export const PLAN_NAMES = ['starter', 'professional', 'enterprise'] as const
export type PlanName = keyof typeof PLANS
export type PlanPeriod = 'month' | 'year'
/** What one may take without asking for a quote. */
export type OpenPlan = Exclude<PlanName, 'enterprise'>

export const ADD_ONS = {
  training: { name: 'Formation avancée', price: 99_000, every: null },
  audit: { name: 'Audit énergétique', price: 250_000, every: null },
  priority: { name: 'Support prioritaire', price: 30_000, every: 'month' },
} as const
export const ADD_ON_NAMES = ['training', 'audit', 'priority'] as const
export type AddOnName = keyof typeof ADD_ONS

export const TRIAL_DAYS = 30
export const MONEY_BACK_DAYS = 30
/** Per cent of twelve months, the price then cut to the euro. */
export const ANNUAL_DISCOUNT = 10
/** A trial has all that the most popular plan has. */
export const TRIAL_PLAN: OpenPlan = 'professional'
/** Days before the end of a trial on which it is told. */
export const TRIAL_WARNINGS = [7, 3, 1] as const
/** 1/100 %. */
export const PLAN_VAT = 2000

export const getPlanPrice = (plan: OpenPlan, period: PlanPeriod): number => PLANS[plan][period]
export const getPlanRank = (plan: PlanName): number => PLAN_NAMES.indexOf(plan)
