/** A value's JSON in a column; `T` is what whoever wrote it put there. */
export type JsonText<T> = string & { readonly holds?: T }
