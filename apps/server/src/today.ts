/** The local day in Europe/Paris. */
export const today = () => Temporal.Now.plainDateISO('Europe/Paris').toString()
