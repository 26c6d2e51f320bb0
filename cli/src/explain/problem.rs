//! Explains the problem of a rejected request.

use payspec::ProblemCode;

use crate::catalog::source;
use crate::page::Page;

pub(super) fn explain(problem: ProblemCode, page: &mut Page) {
    page.title(problem.name());
    page.paragraph(problem.detail());
    page.line("");
    page.term("Title", problem.title());
    page.term("Status", &problem.status().to_string());
    page.term("Type", problem.urn());
    page.term("Source", &source("D12"));
}
