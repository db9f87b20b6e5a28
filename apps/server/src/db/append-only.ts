/** What the application is refused on a table whose rows stay as they were written, and the columns it may still set. */
export type AppendOnlyRule = { table: string; refused: ('update' | 'delete' | 'truncate')[]; settable?: string[] }

const ALL_CHANGES: AppendOnlyRule['refused'] = ['update', 'delete', 'truncate']

/**
 * Kept by what the application's role is granted, not by triggers, which distributed tables do not take.
 * A table that a migration to come makes is named here already: what is not there yet is passed over.
 */
export const APPEND_ONLY_RULES: AppendOnlyRule[] = [
  { table: 'audit_entries', refused: ALL_CHANGES },
  { table: 'events', refused: ALL_CHANGES },
  { table: 'content_versions', refused: ALL_CHANGES },
  // A newer version ends the older one, and changes nothing else of it.
  { table: 'curve_days', refused: ALL_CHANGES, settable: ['superseded_at'] },
  { table: 'distributor_quantities', refused: ALL_CHANGES, settable: ['superseded_at'] },
  // What a run gave is never changed; a provisional run that another replaced goes, and its rows with it.
  { table: 'allocation_days', refused: ['update', 'truncate'] },
  { table: 'allocation_totals', refused: ['update', 'truncate'] },
  { table: 'allocation_pairs', refused: ['update', 'truncate'] },
  // What was said of a figure, and what was issued, stays as it was.
  { table: 'dated_settings', refused: ALL_CHANGES },
  { table: 'price_index_values', refused: ALL_CHANGES },
  { table: 'billing_months', refused: ALL_CHANGES, settable: ['status', 'issued_at', 'issued_by', 'looked_at'] },
  { table: 'billing_computations', refused: ALL_CHANGES },
  { table: 'invoices', refused: ALL_CHANGES },
  { table: 'invoice_anchors', refused: ALL_CHANGES },
  { table: 'invoice_files', refused: ALL_CHANGES },
  { table: 'invoice_deliveries', refused: ALL_CHANGES },
  { table: 'producer_statements', refused: ALL_CHANGES },
  // What was told of an incident stays as it was told.
  { table: 'incident_updates', refused: ALL_CHANGES },
  // What was paid stays written: it is undone by another row.
  { table: 'payments', refused: ALL_CHANGES },
  { table: 'matches', refused: ALL_CHANGES },
  { table: 'past_documents', refused: ALL_CHANGES },
  { table: 'regulatory_exports', refused: ALL_CHANGES },
  { table: 'regulatory_sendings', refused: ALL_CHANGES },
  { table: 'reports', refused: ALL_CHANGES },
  { table: 'subscription_changes', refused: ALL_CHANGES },
  { table: 'subscription_buyers', refused: ALL_CHANGES },
  { table: 'subscription_invoices', refused: ALL_CHANGES },
  // What a bank told, and what a debit was to pay.
  // What was written to somebody stays; what the mail server said of it comes later.
  { table: 'reminders', refused: ALL_CHANGES, settable: ['mailed_at', 'failure'] },
  { table: 'reminder_items', refused: ALL_CHANGES },
  // What a bank told.
  { table: 'bank_statements', refused: ALL_CHANGES },
  { table: 'supplier_bills', refused: ALL_CHANGES },
  // What a provider of payments told stays as it was told; somebody may say what they did about it.
  { table: 'online_events', refused: ALL_CHANGES, settable: ['settled_at', 'settled_by', 'note'] },
  // What a locked month holds, and what was asked of it or declared from it.
  { table: 'book_locks', refused: ALL_CHANGES },
  { table: 'book_entries', refused: ALL_CHANGES },
  { table: 'book_lines', refused: ALL_CHANGES },
  { table: 'book_doubts', refused: ALL_CHANGES },
  { table: 'book_notes', refused: ALL_CHANGES },
  { table: 'declarations', refused: ALL_CHANGES },
  // What a connection did and sent, and what a provider of weather said when; they go with their connection.
  { table: 'connection_steps', refused: ALL_CHANGES },
  { table: 'connection_deliveries', refused: ALL_CHANGES },
  { table: 'weather_runs', refused: ALL_CHANGES },
  // A forecast stays as it was issued, whatever came of it.
  { table: 'issued_forecasts', refused: ALL_CHANGES },
]
