/** A text with a form per plural category of its language; `count` chooses. */
export type Plural = { readonly other: string } & { readonly [Category in Intl.LDMLPluralRule]?: string };

export type CatalogueShape = Readonly<Record<string, string | Plural>>;
