import type { TaskTable } from './task.ts'

/** The table of tasks that run in threads of the pool. */
export const COMPUTE_TASKS = {
  'curves.parse': { load: () => import('../features/energy/curves/parse-task.ts'), lane: 'filed', seconds: 60 },
  'distributor-files.read': {
    load: () => import('../features/enedis/files/read-task.ts'),
    lane: 'filed',
    // The time limit of the job that runs it.
    seconds: 1800,
  },
  'content.prose': { load: () => import('../features/site/content/prose-task.ts'), lane: 'asked', seconds: 5 },
  'keys.coefficients': {
    load: () => import('../features/energy/allocation-keys/coefficients-task.ts'),
    lane: 'asked',
    seconds: 30,
  },
  'participants.read': {
    load: () => import('../features/energy/participants/read-task.ts'),
    lane: 'asked',
    seconds: 20,
  },
  'invoices.days': { load: () => import('../features/billing/invoices/days-task.ts'), lane: 'asked', seconds: 30 },
  'invoices.paper': { load: () => import('../features/billing/invoices/paper-task.ts'), lane: 'filed', seconds: 30 },
  'invoices.notice': { load: () => import('../features/billing/invoices/notice-task.ts'), lane: 'filed', seconds: 30 },
  'takeovers.read': { load: () => import('../features/accounting/takeovers/read-task.ts'), lane: 'asked', seconds: 20 },
  'support.mail': { load: () => import('../features/portal/support/mail-task.ts'), lane: 'filed', seconds: 20 },
  'joining.estimate': {
    load: () => import('../features/portal/joining/estimate-task.ts'),
    lane: 'asked',
    seconds: 20,
  },
  'joining.paper': { load: () => import('../features/portal/joining/paper-task.ts'), lane: 'asked', seconds: 40 },
  'legal.paper': { load: () => import('../features/site/legal/paper-task.ts'), lane: 'asked', seconds: 20 },
  'requests.paper': { load: () => import('../features/site/requests/paper-task.ts'), lane: 'asked', seconds: 20 },
  'users.read': { load: () => import('../features/identity/users/read-task.ts'), lane: 'asked', seconds: 20 },
  'keys.compare': {
    load: () => import('../features/energy/allocation-keys/compare-task.ts'),
    lane: 'asked',
    seconds: 60,
  },
  'allocations.try': { load: () => import('../features/energy/allocation/try-task.ts'), lane: 'asked', seconds: 60 },
  'projects.study': { load: () => import('../features/energy/projects/study-task.ts'), lane: 'asked', seconds: 60 },
  'insights.find': {
    load: () => import('../features/analytics/insights/find-task.ts'),
    lane: 'filed',
    seconds: 300,
  },
  'insights.key': { load: () => import('../features/analytics/insights/key-task.ts'), lane: 'asked', seconds: 100 },
  'insights.joins': {
    load: () => import('../features/analytics/insights/joins-task.ts'),
    lane: 'asked',
    seconds: 100,
  },
  'insights.grid': {
    load: () => import('../features/analytics/insights/grid-task.ts'),
    lane: 'asked',
    seconds: 100,
  },
  'billing.month': {
    load: () => import('../features/billing/month-closing/close-task.ts'),
    lane: 'asked',
    seconds: 60,
  },
  'billing.open': { load: () => import('../features/billing/month-closing/open-task.ts'), lane: 'asked', seconds: 60 },
  'corrections.month': {
    load: () => import('../features/billing/corrections/recompute-task.ts'),
    lane: 'asked',
    seconds: 60,
  },
  'forecasts.issue': {
    load: () => import('../features/analytics/forecasts/issue-task.ts'),
    lane: 'filed',
    seconds: 300,
  },
  'mandates.read': { load: () => import('../features/payments/mandates/read-task.ts'), lane: 'asked', seconds: 20 },
  'bank.read': { load: () => import('../features/payments/bank/read-task.ts'), lane: 'asked', seconds: 60 },
  'exports.encode': {
    load: () => import('../features/admin/exports/encode-task.ts'),
    lane: 'filed',
    seconds: 120,
  },
  'company-archives.read': {
    load: () => import('../features/admin/backups/read-archive-task.ts'),
    lane: 'filed',
    seconds: 300,
    // The archive, its rows and its files, as large as each may be.
    bufferMb: 1536,
  },
  'supplier-bills.read': {
    load: () => import('../features/accounting/supplier-bills/read-task.ts'),
    lane: 'asked',
    seconds: 60,
  },
} satisfies TaskTable
