/** Statements refused to the application on an append-only table, and columns it may still update. */
export type AppendOnlyRule = { table: string; refused: ('update' | 'delete' | 'truncate')[]; settable?: string[] }

const ALL_CHANGES: AppendOnlyRule['refused'] = ['update', 'delete', 'truncate']

/**
 * Enforced by grants to the application's role, not by triggers, which distributed tables do not support. Tables of
 * future migrations may be listed already: absent ones are skipped.
 */
export const APPEND_ONLY_RULES: AppendOnlyRule[] = [
  { table: 'audit_entries', refused: ALL_CHANGES },
  { table: 'events', refused: ALL_CHANGES },
  { table: 'content_versions', refused: ALL_CHANGES },
  // A newer version sets the end of the older one and changes nothing else in it.
  { table: 'curve_days', refused: ALL_CHANGES, settable: ['superseded_at'] },
  { table: 'distributor_quantities', refused: ALL_CHANGES, settable: ['superseded_at'] },
  // Results of a run never change; a provisional run that was replaced is deleted with its rows.
  { table: 'allocation_days', refused: ['update', 'truncate'] },
  { table: 'allocation_totals', refused: ['update', 'truncate'] },
  { table: 'allocation_pairs', refused: ['update', 'truncate'] },
  // Setting values and issued documents never change.
  { table: 'dated_settings', refused: ALL_CHANGES },
  { table: 'price_index_values', refused: ALL_CHANGES },
  { table: 'billing_months', refused: ALL_CHANGES, settable: ['status', 'issued_at', 'issued_by', 'looked_at'] },
  { table: 'billing_computations', refused: ALL_CHANGES },
  { table: 'invoices', refused: ALL_CHANGES },
  { table: 'invoice_anchors', refused: ALL_CHANGES },
  { table: 'invoice_files', refused: ALL_CHANGES },
  { table: 'invoice_deliveries', refused: ALL_CHANGES },
  { table: 'producer_statements', refused: ALL_CHANGES },
  // Published news of an incident never changes.
  { table: 'incident_updates', refused: ALL_CHANGES },
  // Payments are never changed: another row reverses them.
  { table: 'payments', refused: ALL_CHANGES },
  { table: 'matches', refused: ALL_CHANGES },
  { table: 'past_documents', refused: ALL_CHANGES },
  { table: 'regulatory_exports', refused: ALL_CHANGES },
  { table: 'regulatory_sendings', refused: ALL_CHANGES },
  { table: 'reports', refused: ALL_CHANGES },
  { table: 'subscription_changes', refused: ALL_CHANGES },
  { table: 'subscription_buyers', refused: ALL_CHANGES },
  { table: 'subscription_invoices', refused: ALL_CHANGES },
  // A reminder never changes after it was sent; only the result of its delivery is added.
  { table: 'reminders', refused: ALL_CHANGES, settable: ['mailed_at', 'failure'] },
  { table: 'reminder_items', refused: ALL_CHANGES },
  // Bank statements never change.
  { table: 'bank_statements', refused: ALL_CHANGES },
  { table: 'supplier_bills', refused: ALL_CHANGES },
  // Messages of a payment provider never change; only their handling by a person is recorded.
  { table: 'online_events', refused: ALL_CHANGES, settable: ['settled_at', 'settled_by', 'note'] },
  // Locked months, questions about them and declarations made from them never change.
  { table: 'book_locks', refused: ALL_CHANGES },
  { table: 'book_entries', refused: ALL_CHANGES },
  { table: 'book_lines', refused: ALL_CHANGES },
  { table: 'book_doubts', refused: ALL_CHANGES },
  { table: 'book_notes', refused: ALL_CHANGES },
  { table: 'declarations', refused: ALL_CHANGES },
  // Logs of a connection and forecasts of a weather provider never change; they are deleted with their connection.
  { table: 'connection_steps', refused: ALL_CHANGES },
  { table: 'connection_deliveries', refused: ALL_CHANGES },
  { table: 'weather_runs', refused: ALL_CHANGES },
  // A forecast stays as it was issued.
  { table: 'issued_forecasts', refused: ALL_CHANGES },
]
