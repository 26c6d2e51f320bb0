// Tables of card schemes. Written by a test: BLESS=1 cargo test --test integration javascript_tables

/** The schemes: name, name and length of the security code, lengths, special gaps, and most digits with them. */
export const SCHEMES = /* @__PURE__ */ `visa|CVV|3|13,16,19|| mastercard|CVC|3|16|| american_express|CID|4|15|4,10| mir|CVP2|3|16,17,18,19|| unionpay|CVN|3|14,15,16,17,18,19|| jcb|CAV|3|16,17,18,19|| discover|CID|3|16,17,18,19|| diners_club|CVV|3|14,15,16,17,18,19|4,10|14 maestro|CVC|3|12,13,14,15,16,17,18,19|| elo|CVE|3|16|| hipercard|CVC|3|16|| verve|CVV|3|16,18,19|| troy|CVV|3|16|| uzcard|CVV|3|16|| humo|CVV|3|16|| rupay|CVV|3|16|| napas|CVV|3|16,19|| belkart|CVV|3|16|| elcart|CVV|3|16|| prostir|CVV|3|16|| borica|CVV|3|16|| gpn|CVV|3|16||`.split(" ");

/** The prefixes: index of the scheme, its prefixes or ranges, and the lengths of their numbers if they differ from those of the scheme. The first that contains the digits decides. */
export const PREFIXES = /* @__PURE__ */ `1|2221-2720,51-55 2|34,37 3|2200-2204 5|1800,2131|15 5|3528-3589 6|6011,644-649 7|300-305,36,38-39 8|56-59 9|401178-401179,431274,438935,451416,457393,457631-457632,504175,506699-506778,509,627780,636297,636368,650031-650033,650035-650051,650405-650439,650485-650538,650541-650598,650700-650718,650720-650727,650901-650978,651652-651679,65500-65501,655021-655058 10|606282 11|506099-506198,507865-507964 12|9792 13|8600 14|9860 15|5085-5089,606985-607984,608001-608500,65215-65314,8172-8201 16|9704 17|9112 18|9417 19|9804 20|2205 21|1946 8|50 4|62 6|65 4|81 0|4 8|6`.split(" ");

/** The lengths of a card number. */
export const LENGTHS = [12,13,14,15,16,17,18,19];

/** The usual gaps. */
export const GAPS = [4,8,12];

/** The first and last digits that a mask shows of a number with so many digits (D22). */
export const VISIBLE = [[0,0],[1,0],[2,0],[2,0],[2,0],[2,0],[2,0],[2,0],[2,0],[2,0],[2,0],[2,0],[3,4],[4,4],[5,4],[6,4],[6,4],[6,4],[6,4],[6,4]];

/** The mask of a text that is too long. */
export const TOO_LONG = "******";

/** The century of a year of two digits (D23). */
export const CENTURY = 2000;
